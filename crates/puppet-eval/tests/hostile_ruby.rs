//! Ruby of modules that wants all time, all memory or the world outside, wherever Puppet runs it: in types, functions, templates and
//! backends of Hiera. It reaches nothing, ends in an error that it cannot rescue, and never panics.

use std::path::{Path, PathBuf};

use hieratic_budget::{Budget, Limits};
use hieratic_diagnostics::Source;
use hieratic_puppet_eval::read::read;
use hieratic_puppet_eval::{
    DataFailure, EmptyEnvironment, Environment, EvalError, Evaluator, Options, Request, Validator, VisibleVariables,
};
use hieratic_puppet_types::Type;
use hieratic_sandbox::Files;
use hieratic_value::Value;

use crate::validation::Validation;

/// Little enough that a test ends soon.
const SMALL: Limits = Limits { steps: 600_000, bytes: 48 << 20, depth: 1_000, time: None, file: 1 << 20 };

/// One module, `m`.
struct Repository(PathBuf);

impl Environment for Repository {
    fn name(&self) -> &str {
        "production"
    }

    fn root(&self) -> Option<&Path> {
        Some(&self.0)
    }

    fn module(&self, name: &str) -> Option<PathBuf> {
        (name == "m").then(|| self.0.join("modules/m"))
    }

    fn modules(&self) -> Vec<String> {
        vec!["m".into()]
    }

    fn validator(&self) -> &dyn Validator {
        &Validation
    }

    fn lookup(&self, request: &Request, visible: &dyn VisibleVariables) -> Result<Option<Value>, EvalError> {
        if request.names == ["endless"] {
            return Err(EvalError { is_limit: true, ..EvalError::new("the lookup was stopped") });
        }
        EmptyEnvironment.lookup(request, visible)
    }
}

fn options(root: &Path) -> Options {
    Options { budget: Budget::new(SMALL), files: Files::below([root]), ..Options::default() }
}

fn message(root: &Path, code: &str) -> Result<Value, String> {
    let options = options(root);
    let read = read(&Source::new("", code), false, &options, &Validation);
    let repository = Repository(root.to_owned());
    let mut evaluator = Evaluator::new(&repository, options);
    evaluator.run(&read.program.unwrap()).map_err(|failure| failure.message)
}

fn backend(root: &Path) -> Result<Option<Value>, String> {
    let repository = Repository(root.to_owned());
    let mut evaluator = Evaluator::new(&repository, options(root));
    evaluator.call_data_function("m::back", &[Value::Undef], "the answer", &Type::Any).map_err(
        |failure| match failure {
            DataFailure::Arguments(failure) | DataFailure::Other(failure) => failure.message,
        },
    )
}

fn write(root: &Path, path: &str, text: &str) {
    let path = root.join(path);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

/// What becomes of Ruby code in each of the places.
fn everywhere(code: &str) -> Vec<(&'static str, Result<(), String>)> {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    write(
        root,
        "modules/m/lib/puppet/type/bad.rb",
        &format!("Puppet::Type.newtype(:bad) do\n newparam(:name)\n {code}\nend\n"),
    );
    write(
        root,
        "modules/m/lib/puppet/functions/bad_new.rb",
        &format!("Puppet::Functions.create_function(:bad_new) do\n def bad_new\n {code}\n end\nend\n"),
    );
    write(
        root,
        "modules/m/lib/puppet/parser/functions/bad_old.rb",
        &format!(
            "module Puppet::Parser::Functions\n newfunction(:bad_old, :type => :rvalue) do |args|\n {code}\n end\nend\n"
        ),
    );
    write(
        root,
        "modules/m/lib/puppet/functions/m/back.rb",
        &format!("Puppet::Functions.create_function(:'m::back') do\n def back(x)\n {code}\n end\nend\n"),
    );
    write(root, "modules/m/templates/bad.erb", &format!("<% {code} %>"));
    let drop = |result: Result<Value, String>| result.map(|_| ());
    vec![
        ("type", drop(message(root, "bad { 'x': }"))),
        ("function", drop(message(root, "bad_new()"))),
        ("old function", drop(message(root, "$x = bad_old()"))),
        ("template", drop(message(root, "$x = template('m/bad.erb')"))),
        ("backend", backend(root).map(|_| ())),
    ]
}

#[test]
fn endless_work_ends_everywhere() {
    for code in [
        "loop { }",
        "x = []; loop { x << 'x' * 1000 }",
        "begin; loop { }; rescue Exception; retry; end",
        "s = 'a'; s << s while true",
        "i = 0; loop { self.class.const_set(\"C#{i += 1}\", Class.new) }",
        "define_singleton_method(:again) { again }; begin; again; rescue SystemStackError; loop { }; end",
    ] {
        for (place, result) in everywhere(code) {
            let message = result.expect_err(&format!("{code} in a {place}"));
            assert!(
                message.contains("evaluation was given up") || message.contains("stack level too deep"),
                "{code} in a {place}: {message}"
            );
        }
    }
}

#[test]
fn the_world_outside_is_not_there_everywhere() {
    let outside = tempfile::tempdir().unwrap();
    write(outside.path(), "secret.txt", "very secret");
    write(outside.path(), "evil.rb", "raise 'it ran'");
    let secret = outside.path().join("secret.txt").display().to_string();
    let evil = outside.path().join("evil").display().to_string();
    let mut codes: Vec<String> = [
        "`id`",
        "system('id')",
        "Kernel.open('|id')",
        "send(:system, 'id')",
        "__send__(:`, 'id')",
        "Kernel.public_send(:exec, 'id')",
        "Object.const_get(:Kernel).send(:fork)",
        "IO.popen('id')",
        "IO.read('|id')",
        "Object.const_get('Process').pid",
        "Process.kill(9, 1)",
        "ENV['HOME']",
        "raise 'not there' if Dir.glob('/*').empty? && Dir['/etc/**/*'].empty?",
        "Dir.mktmpdir",
        "Marshal.load('x')",
        "ObjectSpace.each_object { }",
        "eval('1')",
        "instance_eval('`id`')",
        "self.class.class_eval('system(1)')",
        "binding.eval('1')",
        "exit!",
        "abort",
        "sleep 100",
        "Thread.new { }.join",
        "Time.now",
        "rand",
        "require 'fiddle'; Fiddle.dlopen(nil)",
        "require 'socket'; TCPSocket.new('127.0.0.1', 1)",
        "require 'net/http'; Net::HTTP.get('x', '/')",
        "require 'open3'; Open3.capture2('id')",
        "File.write('/tmp/x', 'x')",
        "File.open('/tmp/x', 'w') { }",
        "File.read('relative')",
        "File.unlink('/tmp/x')",
        "File.symlink('/etc', 'x')",
        "Pathname.new('/').children",
        "Puppet::FileSystem.unlink('/tmp/x')",
        "Puppet::Util::Execution.execute(['id'])",
        "load '/etc/passwd'",
        "begin; `id`; rescue Exception; 1; end",
        "begin; ENV['x']; rescue Exception; 1; ensure; 2; end",
        "method(:system).call('id')",
        "method(:eval).unbind.bind(self).call('1')",
    ]
    .map(str::to_owned)
    .into();
    codes.push(format!("File.read('{secret}')"));
    codes.push(format!("File.foreach('{secret}') {{ |line| raise line }}"));
    codes.push(format!("Pathname.new('{secret}').read"));
    codes.push(format!(
        "begin; Puppet::FileSystem.read('{secret}'); rescue Exception => e; e.message; end; raise 'not there'"
    ));
    codes.push(format!("require '{evil}'"));
    codes.push(format!("require_relative '{}{evil}'", "../".repeat(40)));
    for code in codes {
        for (place, result) in everywhere(&code) {
            let message = result.expect_err(&format!("{code} in a {place}"));
            assert!(!message.contains("very secret") && !message.contains("it ran"), "{code} in a {place}: {message}");
            let known =
                ["not available", "outside of the environment", "cannot load such file", "uninitialized constant"];
            let known =
                known.iter().chain(&["No such file", "undefined method", "undefined local variable", "not there"]);
            assert!(known.into_iter().any(|known| message.contains(known)), "{code} in a {place}: {message}");
        }
    }
}

#[test]
fn a_limit_of_a_lookup_cannot_be_rescued() {
    for (call, places) in [
        ("call_function('lookup', 'endless')", &["function", "old function", "backend"][..]),
        ("scope.call_function('lookup', ['endless'])", &["template"]),
    ] {
        let code = format!("begin; {call}; rescue Exception; end; raise 'it went on'");
        for (place, result) in everywhere(&code).into_iter().filter(|(place, _)| places.contains(place)) {
            let message = result.expect_err(place);
            assert!(message.contains("the lookup was stopped"), "in a {place}: {message}");
            assert!(!message.contains("it went on"), "in a {place}: {message}");
        }
    }
}

#[test]
fn a_link_that_leads_out_is_not_followed() {
    let outside = tempfile::tempdir().unwrap();
    write(outside.path(), "secret.txt", "very secret");
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let code = "File.read(Puppet::Module.find('m').path + '/files/link/secret.txt')";
    write(
        root,
        "modules/m/lib/puppet/functions/peek.rb",
        &format!("Puppet::Functions.create_function(:peek) do\n def peek\n {code}\n end\nend\n"),
    );
    std::fs::create_dir_all(root.join("modules/m/files")).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(outside.path(), root.join("modules/m/files/link")).unwrap();
    let result = message(root, "peek()");
    assert!(!format!("{result:?}").contains("very secret"), "{result:?}");
    assert!(result.is_err());
}

#[test]
fn output_of_generate_types_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let written = "Puppet::Resource::ResourceType3.new(\n  'thing',\n  [\n    Puppet::Resource::Param(Enum['present'], 'ensure')\n  ],\n  \
                   [\n    # The name.\n    Puppet::Resource::Param(Any, 'path', true),\n    Puppet::Resource::Param(Any, 'size')\n  ],\n  \
                   {\n    /(?m-ix:(.*))/ => ['path']\n  },\n  true,\n  false)\n";
    write(root, ".resource_types/thing.pp", written);
    assert!(
        message(root, "thing { '/a': size => 1, ensure => anything } notify { 'n': require => Thing['/a'] }").is_ok()
    );
    assert!(message(root, "thing { '/a': weight => 1 }").unwrap_err().contains("no parameter named 'weight'"));
    let twice = message(root, "thing { 'one': path => '/a' } thing { 'two': path => '/a' }").unwrap_err();
    assert!(twice.contains("Cannot alias Thing[two]"), "{twice}");
    write(root, ".resource_types/other.pp", "Integer\n");
    assert!(message(root, "other { 'a': }").unwrap_err().contains("does not describe the resource type 'other'"));
}
