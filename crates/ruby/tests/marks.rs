//! Values that are computed from secrets are reported to the host, and no others.

use hieratic_budget::{Budget, Limits};
use hieratic_ruby::{Host, HostError, Ruby, RubyBlock};
use hieratic_value::Value;

const SECRET: &str = "Xk9-CANARYbird+7/zq";
const NUMBER: i64 = 80_451_277;

/// A host with a secret text `p`, a secret number `n`, and an open text `o`.
#[derive(Default)]
struct Keeper {
    budget: Budget,
    results: Vec<String>,
}

impl Host for Keeper {
    fn budget(&self) -> &Budget {
        &self.budget
    }

    fn variable(&mut self, name: &str) -> Result<Option<Value>, HostError> {
        let pair = |key: &str, value: Value| (Value::from(key), value);
        Ok(match name {
            "p" => Some(SECRET.into()),
            "n" => Some(NUMBER.into()),
            "o" => Some("nothing to hide".into()),
            "url" => Some(format!("postgres://app:{SECRET}@db/app").as_str().into()),
            "a" => Some(vec!["open".into(), SECRET.into()].into()),
            "h" => Some(
                [pair("user", "admin".into()), pair("password", SECRET.into())]
                    .into_iter()
                    .collect::<hieratic_value::Hash>()
                    .into(),
            ),
            _ => None,
        })
    }

    fn call_function(
        &mut self,
        name: &str,
        arguments: &[Value],
        _: Option<&RubyBlock>,
        _: &mut Ruby,
    ) -> Result<Value, HostError> {
        match name {
            "lookup" => Ok(SECRET.into()),
            _ => Ok(arguments.first().cloned().unwrap_or_default()),
        }
    }

    fn secrets(&self) -> u64 {
        2
    }

    fn secret_parts(&mut self, text: &str) -> Vec<std::ops::Range<usize>> {
        text.match_indices(SECRET).map(|(at, part)| at..at + part.len()).collect()
    }

    fn is_secret(&mut self, value: &Value) -> bool {
        *value == Value::from(NUMBER)
    }

    fn record_secret(&mut self, result: &Value) {
        self.results.push(result.to_text());
    }
}

/// Renders a template. Returns the output and the reported secrets.
fn render(template: &str) -> (String, Vec<String>) {
    let mut host = Keeper::default();
    let mut ruby = Ruby::new();
    let text = ruby.render(&mut host, template, "x.erb", None).map_err(|error| format!("{template}: {error}"));
    (text.unwrap().to_string(), host.results)
}

#[test]
fn values_computed_from_secrets_are_reported() {
    let list = include_str!("marks/expressions.txt");
    let expressions: Vec<&str> =
        list.lines().filter(|line| !line.starts_with('#') && !line.contains("scope")).collect();
    let mut setup = String::new();
    let mut faults = Vec::new();
    for expression in &expressions {
        // Libraries and definitions of earlier lines are available to later ones.
        for word in expression.split(['(', ';', ')']).filter(|word| word.trim_start().starts_with("require ")) {
            setup.push_str(&format!("<% {word} %>"));
        }
        if expression.contains("Keep;") || expression.starts_with("(S =") {
            setup.push_str(&format!("<% {expression} %>"));
        }
        let mut host = Keeper::default();
        let before = Ruby::new().render(&mut Keeper::default(), &setup, "x.erb", None);
        assert!(before.is_ok(), "{before:?}");
        let template = format!("{setup}before<%= {expression} %>behind");
        match Ruby::new().render(&mut host, &template, "x.erb", None) {
            Ok(text) => {
                let result = text
                    .strip_prefix("before")
                    .and_then(|text| text.strip_suffix("behind"))
                    .unwrap()
                    .trim_matches('\n');
                // Only secrets in the expression itself are not redacted.
                host.results.sort_by_key(|reported| std::cmp::Reverse(reported.len()));
                let rest = host
                    .results
                    .iter()
                    .fold(result.to_owned(), |rest, reported| rest.replace(reported.trim_matches('\n'), "\0"));
                let open = rest.split('\0').map(|part| part.trim_matches(|one: char| !one.is_alphanumeric()).len());
                if host.results.is_empty() || open.max() > Some(3) || result.len() < 4 {
                    faults.push(format!("{expression}: {result:?}, results: {:?}", host.results));
                }
            }
            Err(error) => faults.push(format!("{expression}: {error}")),
        }
    }
    assert!(faults.is_empty(), "{} of {}:\n{}", faults.len(), expressions.len(), faults.join("\n"));
}

#[test]
fn other_values_are_not_reported() {
    for (code, reported) in [
        ("@o.upcase", vec![]),
        ("@p.length", vec![]),
        ("@p == 'x'", vec![]),
        ("@p.length * 1000", vec![]),
        ("@h['user'].upcase", vec![]),
        ("@h.keys.join(',')", vec![]),
        ("@a.first.upcase", vec![]),
        ("@a.map(&:upcase).first", vec![]),
        ("@a.reject { |s| s == @p }.join(',')", vec![]),
        ("@h.map { |k, v| k.upcase }.join(',')", vec![]),
        ("'user=%s' % @o", vec![]),
        ("[80, 8080].include?(@n) ? 1000 : 8000", vec![]),
        ("@url[/^\\w+/]", vec![]),
        ("@url.split('@').last", vec![]),
        ("@url.split('/').last.upcase", vec![]),
        ("(@url =~ %r{://(\\w+):}; $1 + '!')", vec![]),
        ("@o.gsub('hide', 'seek')", vec![]),
        ("'a text with {pw} in it'.gsub('{other}', @p)", vec![]),
        ("'key=%s' % @p", vec![SECRET]),
        ("'key=' + @p", vec![SECRET]),
        ("\"key=#{@p}\"", vec![SECRET]),
        ("'a text with {pw} in it'.gsub('{pw}', @p)", vec![SECRET]),
        ("\"key=#{@p.reverse}\"", vec!["qz/7+dribYRANAC-9kX"]),
        ("['key', @p.reverse].join('=')", vec!["qz/7+dribYRANAC-9kX"]),
        ("'key=%s' % @p.reverse", vec!["qz/7+dribYRANAC-9kX"]),
        ("[@o, @p].inspect", vec![SECRET]),
        ("@url", vec![SECRET]),
        ("@url.sub('postgres', 'mysql')", vec![SECRET]),
        ("@url.lines.map(&:strip).join", vec![SECRET]),
        ("@url.gsub(@p, '***')", vec![]),
        ("@url.upcase", vec!["XK9-CANARYBIRD+7/ZQ"]),
        ("(require 'json'; {a: 'open', b: @p + %(\n\"q\" open)}.to_json)", vec![SECRET]),
        ("@p.chars.map { |c| 'literal' }.first", vec![]),
        ("(begin; nil.send(@p); rescue NoMethodError; end; 'web01.example.com'.upcase)", vec![]),
        ("(instance_variable_set(\"@#{@p[/[A-Z]+/]}\", 1); 'a CANARY in a cage'.dup.strip)", vec![]),
        ("(h = {listen: [@p]}; h.keys.inspect)", vec![]),
        ("(a = [[]]; a[0] << @o; a.inspect)", vec![]),
        ("('a'..'z').to_a.index('c') * 1000", vec![]),
        ("[80, 8080].zip(['a', 'b']).inspect", vec![]),
        ("{'a' => 8080}.fetch('a')", vec![]),
        ("[[8080, @o], [8081, @p.length]].to_h.inspect", vec![]),
        ("8080.object_id", vec![]),
        ("(8080..8090).count * 1000", vec![]),
        ("1.upto(3).map { |i| i * 1000 }.inspect", vec![]),
    ] {
        let (text, all) = render(&format!("before <%= {code} %> behind"));
        assert_eq!(all, reported, "{code}: {text}");
    }
}

#[test]
fn tainted_names_end_with_their_run() {
    let mut ruby = Ruby::new();
    let mut reported = |template: &str| {
        let mut host = Keeper::default();
        ruby.render(&mut host, template, "x.erb", None).unwrap();
        host.results
    };
    let text = format!("'a {SECRET} text'[2..]");
    let name = "begin; nil.send(@p); rescue NoMethodError; end";
    assert_eq!(reported(&format!("<% {name} %><%= {text} %>")), [SECRET]);
    assert!(reported(&format!("<%= {text} %>")).is_empty());
}

#[test]
fn secrets_in_inspect_are_reported_where_they_are_printed() {
    let class = "class Shown; def initialize(x); @x = x; end; def to_s; @x.reverse; end; alias inspect to_s; end";
    for print in ["puts", "print", "p", "warn", "$stdout.puts"] {
        let (_, reported) = render(&format!("<% {class}; {print} Shown.new(@p) %>"));
        assert!(reported.contains(&SECRET.chars().rev().collect()), "{print}: {reported:?}");
    }
}

#[test]
fn many_tainted_names_reach_the_step_limit() {
    let limits = Limits { steps: 400_000, bytes: 32 << 20, depth: 1_000, time: None, file: 1 << 20 };
    let mut host = Keeper { budget: Budget::new(limits), ..Keeper::default() };
    let template = "<% 10_000_000.times { |i| respond_to?(\"#{@p}#{i}\") } %>";
    let error = Ruby::new().render(&mut host, template, "x.erb", None).unwrap_err();
    assert!(error.to_string().contains("given up"), "{error}");
}
