//! The methods that Ruby 3.1 has and that are not here. A call of one is refused: code that rescues a
//! `NoMethodError` would do something else than it does with Ruby.

use super::{Flow, Vm};
use crate::symbol::Symbol;
use crate::value::Value;

/// The class and its methods, or with a dot the methods of the class or the module itself.
#[rustfmt::skip]
const METHODS: &[(&str, &str)] = &[
    ("Array", "abbrev bsearch_index chain repeated_permutation"),
    (
        "Date",
        "ajd amjd asctime ctime cwday cweek cwyear day_fraction downto england gregorian gregorian? httpdate \
         infinite? italy jisx0301 julian julian? ld mjd new_start prev_year rfc2822 rfc3339 rfc822 start step \
         to_datetime upto xmlschema",
    ),
    (
        "Date.",
        "commercial gregorian_leap? httpdate jd jisx0301 julian_leap? leap? ordinal rfc2822 rfc3339 rfc822 \
         valid_civil? valid_commercial? valid_jd? valid_ordinal? xmlschema",
    ),
    ("Digest::MD5", "base64digest! block_length digest! digest_length file hexdigest! length new size"),
    ("Digest::MD5.", "file"),
    ("ERB", "def_class def_method def_module encoding lineno lineno= location= make_compiler run set_eoutvar src"),
    ("ERB::Util.", "u"),
    ("Enumerator", "chain feed next_values peek_values"),
    ("Enumerator::Lazy", "chain feed next_values peek_values"),
    (
        "File.",
        "blockdev? chardev? executable_real? grpowned? lutime path readable_real? setgid? setuid? sticky? \
         world_writable? writable_real?",
    ),
    (
        "Float",
        "abs2 angle arg conj conjugate denominator i imag imaginary numerator phase polar rationalize real \
         rect rectangular remainder to_d to_r",
    ),
    ("Gem::Version", "approximate_recommendation"),
    ("Hash", "chain"),
    ("IPAddr", "ip6_int ipv4_compat ipv4_compat? ipv4_mapped? prefix= zone_id zone_id="),
    (
        "Integer",
        "abs2 angle arg conj conjugate gcdlcm i imag imaginary phase polar prime? prime_division quo rationalize \
         real rect rectangular to_d to_r",
    ),
    (
        "JSON.",
        "[] create_fast_state create_id create_id= create_pretty_state deep_const_get dump_default_options \
         dump_default_options= fast_generate fast_unparse generator generator= load_default_options \
         load_default_options= load_file load_file! parser parser= pretty_unparse recurse_proc restore state \
         state= unparse",
    ),
    ("Kernel.", "binding putc rand srand"),
    ("MatchData", "match match_length offset"),
    ("Math.", "acosh asinh atanh erf erfc frexp gamma ldexp lgamma"),
    ("Method", "original_name private? protected? public? source_location super_method"),
    (
        "NilClass",
        "private_methods protected_methods rationalize singleton_method taint tainted? to_c to_r trust \
         untaint untrust untrusted?",
    ),
    (
        "Object",
        "pretty_inspect private_methods protected_methods singleton_method taint tainted? to_yaml trust \
         untaint untrust untrusted?",
    ),
    (
        "Pathname",
        "ascend atime binwrite birthtime blockdev? chardev? chmod chown ctime descend each_child each_entry \
         each_line executable_real? find fnmatch fnmatch? ftype grpowned? lchmod lchown lstat make_link \
         make_symlink mountpoint? mtime opendir owned? pipe? readable_real? readlink realdirpath \
         relative_path_from rmdir setgid? setuid? size? socket? split sticky? sysopen truncate utime \
         world_readable? world_writable? writable_real?",
    ),
    ("Proc", "ruby2_keywords"),
    (
        "Psych.",
        "add_builtin_type add_domain_type add_tag config domain_types domain_types= dump_stream dump_tags \
         dump_tags= libyaml_version load_stream load_tags load_tags= parse parse_file parse_stream parser \
         remove_type safe_dump unsafe_load_file",
    ),
    ("Random", "alphanumeric base64 hex random_bytes urlsafe_base64 uuid"),
    ("Random.", "alphanumeric base64 hex random_bytes srand urlsafe_base64 uuid"),
    ("Range", "bsearch chain"),
    ("Regexp", "encoding fixed_encoding? named_captures ~"),
    ("SecureRandom.", "gen_random"),
    ("Set", "chain classify collect! compare_by_identity compare_by_identity? divide filter! flatten flatten! reset"),
    ("String", "each_codepoint encode! scrub! setbyte to_d to_r tr_s!"),
    (
        "StringIO",
        "chain closed_read? closed_write? each_byte each_char each_codepoint external_encoding fcntl fsync \
         getbyte internal_encoding isatty pid read_nonblock readbyte readchar readpartial reopen \
         set_encoding_by_bom sysread syswrite ungetbyte ungetc write_nonblock",
    ),
    ("Struct", "chain"),
    ("Symbol", "encoding intern slice"),
    ("Symbol.", "all_symbols"),
    ("Time", "asctime ceil ctime floor getgm gmt? gmt_offset gmtoff rfc822 to_datetime tv_nsec tv_sec tv_usec"),
    ("Time.", "httpdate rfc2822 rfc822 xmlschema zone_offset"),
    ("URI.", "extract for get_encoding register_scheme scheme_list"),
    (
        "URI::HTTP",
        "+ - absolute authority coerce component find_proxy hierarchical? hostname= merge merge! normalize \
         normalize! origin parser password= registry registry= route_from route_to user=",
    ),
];

impl Vm<'_> {
    /// Returns the refusal of a call of a method that Ruby has and that is not here.
    pub(super) fn refusal_of_method(&self, receiver: &Value, name: Symbol) -> Option<Box<Flow>> {
        let text = self.name(name);
        let has = |class: &str| {
            // All digests have the same methods.
            let class = if class.starts_with("Digest::") { "Digest::MD5" } else { class };
            METHODS.iter().any(|(own, names)| *own == class && names.split(' ').any(|one| *one == *text))
        };
        if let Value::Class(class) = receiver {
            let class = format!("{}.", class.display_name());
            if has(&class) {
                return Some(self.unsupported(format!("{class}{text}")));
            }
        }
        let class = self.class_of(receiver);
        let found = self.ancestors(&class).iter().map(|one| one.display_name()).find(|one| has(one))?;
        Some(self.unsupported(format!("{found}#{text}")))
    }
}
