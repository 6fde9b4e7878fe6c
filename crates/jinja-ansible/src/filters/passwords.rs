//! `password_hash`: <https://docs.ansible.com/ansible/latest/collections/ansible/builtin/password_hash_filter.html>.

use hieratic_crypto::passwords::{BCRYPT_SALT, MD5_SALT, SHA_SALT, Sha, Version};
use hieratic_jinja::extend::filters::arguments::{as_text, given, strict_text};
use hieratic_jinja::extend::python::kind::{hashable, truth};
use hieratic_jinja::extend::python::str;
use hieratic_jinja::extend::{Args, Host, Result, Table, Value, define, error};

pub const TABLE: Table = &[define(
    "password_hash",
    "hashtype='sha512', salt=None, salt_size=None, rounds=None, ident=None",
    "Hashes a password for `/etc/shadow`.",
    password_hash,
)];

/// The characters of salts.
const LETTERS: &str = "./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// Returns the filter `password_hash`: the hash of a password in the format of crypt(3).
pub fn password_hash(_: &dyn Host, args: Args) -> Result<Value> {
    let names = ["password", "hashtype", "salt", "salt_size", "rounds", "ident"];
    let [password, hashtype, salt, salt_size, rounds, ident] = args.bind(names, 1)?;
    let is_given = |value: Option<Value>| match value {
        Some(value) if truth(&value)? => Ok::<_, hieratic_jinja::extend::Error>(Some(value)),
        _ => Ok(None),
    };
    let password = strict_text(&given(password), "password_hash")?;
    let algorithm = match hashtype {
        Some(name) => {
            hashable(&name)?;
            str(&name)?
        }
        None => "sha512".to_owned(),
    };
    let number = |value: Option<Value>| {
        is_given(value)?.map(|value| hieratic_jinja::extend::python::number::index(&value)).transpose()
    };
    let (salt_size, rounds) = (number(salt_size)?, number(rounds)?);
    let salt = is_given(salt)?.map(|salt| as_text(&Some(salt))).transpose()?;
    if salt.as_ref().is_some_and(|salt| !salt.chars().all(|letter| LETTERS.contains(letter))) {
        return Err(error("invalid characters in salt"));
    }
    match algorithm.as_str() {
        "sha512" | "sha512_crypt" | "sha256" | "sha256_crypt" => {
            let kind = if algorithm.starts_with("sha512") { Sha::Sha512 } else { Sha::Sha256 };
            let rounds = rounds.unwrap_or(if kind == Sha::Sha512 { 656_000 } else { 535_000 });
            let count = usize::try_from(rounds).ok().filter(|count| (1_000..=999_999_999).contains(count));
            let count =
                count.ok_or_else(|| error(format!("rounds must be between 1000 and 999999999, not {rounds}")))?;
            let salt = salted(salt, salt_size, SHA_SALT, "sha_crypt")?;
            work(hieratic_crypto::passwords::sha_steps(kind, password.as_bytes(), count))?;
            let digest = hieratic_crypto::passwords::sha(kind, password.as_bytes(), &salt, count)
                .ok_or_else(|| error("the hash cannot be created"))?;
            // The default number of rounds is not written.
            let rounds = if count == 5_000 { String::new() } else { format!("rounds={count}$") };
            Ok(Value::from(format!("${}${rounds}{salt}${digest}", kind.prefix())))
        }
        "md5" | "md5_crypt" => {
            let salt = salted(salt, salt_size, MD5_SALT, "md5_crypt")?;
            md5_crypt(&password, &salt).map(Value::from)
        }
        "blowfish" | "bcrypt" => {
            let cost = u32::try_from(rounds.unwrap_or(12)).ok().filter(|cost| (4..=31).contains(cost));
            let cost = cost.ok_or_else(|| error("rounds must be between 4 and 31"))?;
            let ident = is_given(ident)?.map_or(Ok("2b".into()), |ident| as_text(&Some(ident)))?;
            let version = match ident.trim_matches('$') {
                "2a" => Version::TwoA,
                "2b" => Version::TwoB,
                "2y" => Version::TwoY,
                other => return Err(error(format!("the ident '{other}' is not supported: use 2a, 2b or 2y"))),
            };
            let salt = match salt {
                Some(salt) => salt_of_bcrypt(&salt)?,
                None => std::array::from_fn(|_| fastrand::u8(..)),
            };
            work(hieratic_crypto::passwords::bcrypt_steps(cost))?;
            let hash = hieratic_crypto::passwords::bcrypt(version, password.as_bytes(), cost, salt);
            Ok(Value::from(hash.ok_or_else(|| error("the hash cannot be created"))?))
        }
        other => Err(error(format!(
            "password_hash does not support {other}: use sha512, sha256 or blowfish, or md5 for devices that know no other"
        ))),
    }
}

/// Returns the given salt, or a random one.
fn salted(salt: Option<String>, size: Option<i64>, most: usize, algorithm: &str) -> Result<String> {
    let salt = salt.unwrap_or_else(|| {
        let size = size.and_then(|size| usize::try_from(size).ok()).unwrap_or(most).min(most);
        let letters = LETTERS.as_bytes();
        (0..size)
            .map(|_| letters.get(fastrand::usize(..letters.len())).map_or('.', |letter| char::from(*letter)))
            .collect()
    });
    if salt.len() > most {
        return Err(error(format!("salt too large ({algorithm} requires <= {most} chars)")));
    }
    Ok(salt)
}

/// The bytes of a salt for bcrypt.
fn salt_of_bcrypt(salt: &str) -> Result<[u8; 16]> {
    let size = if salt.len() < BCRYPT_SALT { "small" } else { "large" };
    hieratic_crypto::passwords::bcrypt_salt(salt)
        .ok_or_else(|| error(format!("salt too {size} (bcrypt requires exactly {BCRYPT_SALT} chars)")))
}

/// The hash of a password by MD5-crypt.
fn md5_crypt(password: &str, salt: &str) -> Result<String> {
    work(hieratic_crypto::passwords::md5_steps(password.as_bytes()))?;
    Ok(format!("$1${salt}${}", hieratic_crypto::passwords::md5(password.as_bytes(), salt)))
}

/// The hash of a password for network devices, with a random salt of four characters unless one is given.
pub fn md5_for_devices(password: &str, salt: Option<String>) -> Result<String> {
    let salt = salt.filter(|salt| !salt.is_empty());
    if salt.as_ref().is_some_and(|salt| !salt.chars().all(|letter| LETTERS.contains(letter))) {
        return Err(error("type5_pw salt used improper characters"));
    }
    md5_crypt(password, &salted(salt, Some(4), MD5_SALT, "md5_crypt")?)
}

/// Takes the steps of a hash from the budget.
fn work(steps: u64) -> Result<()> {
    hieratic_jinja::extend::work::steps(usize::try_from(steps).unwrap_or(usize::MAX))
}
