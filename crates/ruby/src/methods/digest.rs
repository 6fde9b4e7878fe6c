//! Digests.

use md5::Digest as _;

use super::Natives;
use crate::value::Value;

pub(super) const FUNCTIONS: Natives = &[("self.digest", 2, 2, |vm, _, a| {
    let name = vm.to_s(&a.at(0))?;
    let bytes = vm.to_string_object(&a.at(1))?.bytes().to_vec();
    vm.steps(bytes.len() / 64)?;
    Ok(Value::binary(match name.to_ascii_uppercase().replace('-', "").as_str() {
        "MD5" => md5::Md5::digest(&bytes).to_vec(),
        "SHA1" => sha1::Sha1::digest(&bytes).to_vec(),
        "SHA256" => sha2::Sha256::digest(&bytes).to_vec(),
        "SHA384" => sha2::Sha384::digest(&bytes).to_vec(),
        "SHA512" => sha2::Sha512::digest(&bytes).to_vec(),
        _ => return Err(vm.unsupported(format!("the digest {name}"))),
    }))
})];
