//! `hieratic lsp` with clients that people use: Neovim's own, eglot of Emacs, and the one of VS Code from npm. Tests skip what is not installed.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use hieratic_testing::skipped;
use serde_json::{Value, json};

/// The example repository, copied: editors write files beside those that they open.
fn repository() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap().join("repository");
    copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/control-repo"), &root);
    (folder, root)
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy(&path, &target);
        } else {
            std::fs::copy(&path, &target).unwrap();
        }
    }
}

fn is_installed(program: &str, arguments: &[&str]) -> bool {
    let run = Command::new(program).args(arguments).stdout(Stdio::null()).stderr(Stdio::null()).status();
    run.is_ok_and(|status| status.success())
}

/// What a client has seen of a file of data: diagnostics of a wrong text, a hover, completions and symbols.
fn assert_seen(seen: &Value) {
    let first = &seen["diagnostics"][0];
    assert_eq!(first["code"], "duplicate-key", "{seen}");
    // Behind a character of two units, and a line that ends with a carriage return.
    assert_eq!(first["line"], 2, "{seen}");
    assert_eq!(seen["cured"], json!(0), "{seen}");
    let hover = seen["hover"].as_str().unwrap_or_default();
    assert!(hover.contains("profile::web::port"), "{seen}");
    let labels: Vec<&str> = seen["completions"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    assert!(labels.contains(&"profile::web::port"), "{labels:?}");
    assert!(!seen["symbols"].as_array().unwrap().is_empty(), "{seen}");
    assert_eq!(seen["range"], json!([2, 0, 2, 1]), "{seen}");
}

/// What the clients type: a character of two units, and a key that is there twice.
const WRONG: &str = "\u{1f600}: 1\r\na: 1\r\na: 2\r\n";

/// What they type then.
const RIGHT: &str = "profile::web::port: 8080\n";

#[test]
fn neovim_speaks_with_the_server() {
    if !is_installed("nvim", &["--version"]) {
        skipped("nvim is not installed");
        return;
    }
    let (_folder, root) = repository();
    let answer = root.join("answer.json");
    let script = root.join("drive.lua");
    std::fs::write(&script, LUA).unwrap();
    let mut nvim = Command::new("nvim");
    nvim.args(["--headless", "--clean", "-u", "NONE", "-c"]).arg(format!("luafile {}", script.display()));
    nvim.env("HIERATIC", env!("CARGO_BIN_EXE_hieratic")).env("ROOT", &root).env("ANSWER", &answer);
    nvim.env("WRONG", WRONG).env("RIGHT", RIGHT).env("XDG_STATE_HOME", &root).env("FEATURES", features().to_string());
    let output = nvim.output().unwrap();
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    let text = std::fs::read_to_string(&answer).unwrap_or_else(|_| panic!("nvim has no answer: {message}"));
    let seen: Value = serde_json::from_str(&text).unwrap();
    assert!(seen["fault"].is_null(), "{seen}");
    assert_seen(&seen);
    assert_answered(&seen["answers"]);
}

/// The features of each language: a file, its content, a place in it, the method, and a part of the answer.
const FEATURES: &[(&str, &str, &str, &str, &str)] = &[
    ("data/common.yaml", DATA, "profile::web::port", "hover", "9090"),
    ("data/common.yaml", DATA, "site::domain')", "definition", "common.yaml"),
    ("data/common.yaml", DATA, "site::domain:", "references", "common.yaml"),
    ("data/common.yaml", DATA, "profile::web::port", "documentSymbol", "profile::web::port"),
    ("data/common.yaml", DATA, "profile::web::port", "foldingRange", "startLine"),
    ("data/common.yaml", DATA, "profile::web::port", "selectionRange", "parent"),
    ("data/common.yaml", DATA, "profile::web::port", "semanticTokens/full", "data"),
    ("data/common.yaml", DATA, "profile::web::port", "codeLens", "other file"),
    ("data/common.yaml", DATA, "yes", "codeAction", "'yes'"),
    (
        "data/site.json",
        "{\"\u{1f600}\": 1, \"site::domain\": \"a\"}\n",
        "site::domain",
        "documentSymbol",
        "site::domain",
    ),
    ("data/site.conf", "\"\u{1f600}\" = 1\r\nsite { name = x }\n", "name", "documentSymbol", "name"),
    ("hiera.yaml", HIERARCHY, "hierarchy", "hover", "levels"),
    ("hiera.yaml", HIERARCHY, "common.yaml", "documentLink", "data/common.yaml"),
    ("manifests/site.pp", CODE, "lookup", "hover", "lookup("),
    ("manifests/site.pp", CODE, "$port }", "definition", "site.pp"),
    ("manifests/site.pp", CODE, "$port }", "documentHighlight", "range"),
    ("manifests/site.pp", CODE, "'site::domain', ", "signatureHelp", "activeParameter"),
    ("manifests/site.pp", CODE, "class one", "documentSymbol", "one"),
    ("manifests/site.pp", CODE, "ensure", "formatting", "newText"),
    ("manifests/site.pp", CODE, "$port }", "inlayHint", "Integer"),
    ("site.epp", "<%- | Integer $port | -%>\n\u{1f600} <%= $port + 1 %>\n", "$port + 1", "hover", "Integer"),
    ("job.nomad.hcl", JOB, "driver", "hover", "docker, exec"),
    ("job.nomad.hcl", JOB, "var.image", "definition", "job.nomad.hcl"),
    ("job.nomad.hcl", JOB, "group", "documentSymbol", "group"),
    ("job.nomad.hcl", JOB, "driver", "formatting", "newText"),
    ("page.j2", PAGE, "upper", "hover", "upper case"),
    ("page.j2", PAGE, "total }}", "definition", "page.j2"),
    ("page.j2", PAGE, "total }}", "documentSymbol", "total"),
    ("page.erb", "<% if @a -%>\r\n\u{1f600} <%= @a %>\r\n<% end -%>\r\n", "@a %>", "documentSymbol", "if @a"),
    ("ensemble.yaml", DOCUMENT, "+/defaults", "hover", "cpu"),
    ("ensemble.yaml", DOCUMENT, "+/defaults", "definition", "ensemble.yaml"),
];

const DATA: &str = "# \u{1f600}\n# Two lines.\nprofile::web::port: 9090\nsite::domain: example.org\n\
                    other: \"\u{1f600} %{lookup('site::domain')}\"\nflag: yes\n";
const HIERARCHY: &str = "version: 5\ndefaults:\n  datadir: data\n  data_hash: yaml_data\nhierarchy:\n  - name: Common\n    path: common.yaml\n";
const CODE: &str = "# \u{1f600}\nclass one {\n  $port = 80\n  $domain = lookup('site::domain', String)\n  file { '/\u{1f600}':\n\
                    \u{20}   ensure => file,\n    content => \"${domain}\",\n  }\n  notify { 'p': message => $port }\n}\n";
const JOB: &str = "variable \"image\" {\n  default = \"\u{1f600}\"\n}\njob \"a\" {\n  group \"g\" {\n    task \"t\" {\n      driver   = \"docker\"\n      \
                   config {\n        image = var.image\n      }\n    }\n  }\n}\n";
const PAGE: &str = "{% set total = 1 %}\r\n\u{1f600} {{ name | upper }}\r\n{{ total }}\r\n";
const DOCUMENT: &str = "defaults:\n  cpu: 2\nweb: # \u{1f600}\n  +/defaults:\n";

/// The features as clients ask for them: positions in units of UTF-16, and in bytes for clients that agree on those.
fn features() -> Value {
    let all = FEATURES.iter().map(|(file, text, part, method, _)| {
        let before = &text[..text.find(part).unwrap()];
        let line = before.matches('\n').count();
        let line_before = before.rsplit('\n').next().unwrap();
        let (character, byte) = (line_before.encode_utf16().count() + 1, line_before.len() + 1);
        let method = format!("textDocument/{method}");
        json!({"file": file, "text": text, "method": method, "line": line, "character": character, "byte": byte})
    });
    all.collect()
}

/// Every feature has an answer with what is expected in it.
fn assert_answered(answers: &Value) {
    for (index, (file, _, part, method, expected)) in FEATURES.iter().enumerate() {
        let answer = answers[index].to_string();
        assert!(answer.contains(expected), "{method} at {part:?} of {file}: {expected:?} in {answer}");
    }
}

const LUA: &str = r#"
local root, seen = os.getenv("ROOT"), {}
local file = root .. "/data/common.yaml"
vim.cmd("edit " .. vim.fn.fnameescape(file))
local buffer = vim.api.nvim_get_current_buf()
local id = vim.lsp.start_client({ name = "hieratic", cmd = { os.getenv("HIERATIC"), "lsp" }, root_dir = root,
  workspace_folders = { { uri = vim.uri_from_fname(root), name = "root" } } })
vim.lsp.buf_attach_client(buffer, id)
local function ask(method, parameters)
  local answers, fault = vim.lsp.buf_request_sync(buffer, method, parameters, 60000)
  if not answers then error(method .. ": " .. tostring(fault)) end
  local answer = answers[id]
  if answer.error then error(method .. ": " .. vim.inspect(answer.error)) end
  return answer.result
end
local document = { textDocument = { uri = vim.uri_from_bufnr(buffer) } }
local function type_text(text)
  vim.bo[buffer].fileformat = text:find("\r\n") and "dos" or "unix"
  local lines = vim.split(text:gsub("\r\n", "\n"), "\n")
  if lines[#lines] == "" then table.remove(lines) end
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, lines)
  -- Changes are sent a moment later.
  vim.wait(400)
  ask("hieratic/settled", vim.empty_dict())
  vim.wait(200)
end
local ok, fault = pcall(function()
  vim.wait(60000, function() return vim.lsp.buf_is_attached(buffer, id) and vim.lsp.get_client_by_id(id).initialized end, 20)
  type_text(os.getenv("WRONG"))
  seen.diagnostics = {}
  for _, one in ipairs(vim.diagnostic.get(buffer)) do
    table.insert(seen.diagnostics, { code = one.code, line = one.lnum })
    seen.range = seen.range or { one.lnum, one.col, one.end_lnum, one.end_col }
  end
  type_text(os.getenv("RIGHT"))
  seen.cured = #vim.diagnostic.get(buffer, { severity = vim.diagnostic.severity.ERROR })
  seen.symbols = ask("textDocument/documentSymbol", document)
  local at = vim.tbl_extend("error", document, { position = { line = 0, character = 4 } })
  seen.hover = ask("textDocument/hover", at).contents.value
  at.position = { line = 1, character = 15 }
  type_text("x: 1\nprofile::web::p\n")
  seen.completions = {}
  for _, item in ipairs(ask("textDocument/completion", at).items) do table.insert(seen.completions, item.label) end
  seen.answers = {}
  local client = vim.lsp.get_client_by_id(id)
  for _, feature in ipairs(vim.json.decode(os.getenv("FEATURES"))) do
    local uri = vim.uri_from_fname(root .. "/" .. feature.file)
    if uri == document.textDocument.uri then
      type_text(feature.text)
    else
      local item = { uri = uri, languageId = "", version = 1, text = feature.text }
      client.notify("textDocument/didOpen", { textDocument = item })
      ask("hieratic/settled", vim.empty_dict())
    end
    local column = client.offset_encoding == "utf-8" and feature.byte or feature.character
    local position = { line = feature.line, character = column }
    local whole = { start = { line = 0, character = 0 }, ["end"] = { line = 99, character = 0 } }
    local here = { start = position, ["end"] = position }
    local answer = ask(feature.method, { textDocument = { uri = uri }, position = position, positions = { position },
      range = feature.method == "textDocument/codeAction" and here or whole, options = { tabSize = 2, insertSpaces = true },
      context = { includeDeclaration = true, diagnostics = {}, triggerKind = 1, isRetrigger = false } })
    table.insert(seen.answers, answer == nil and vim.NIL or answer)
    if uri ~= document.textDocument.uri then client.notify("textDocument/didClose", { textDocument = { uri = uri } }) end
  end
end)
if not ok then seen.fault = tostring(fault) end
local out = io.open(os.getenv("ANSWER"), "w")
out:write(vim.json.encode(seen))
out:close()
vim.lsp.stop_client(id)
vim.cmd("qall!")
"#;

#[test]
fn emacs_speaks_with_the_server() {
    let needed =
        ["--batch", "-q", "--eval", "(package-initialize)", "--eval", "(progn (require 'eglot) (require 'yaml-mode))"];
    if !is_installed("emacs", &needed) {
        skipped("emacs, eglot or yaml-mode is not installed");
        return;
    }
    let (_folder, root) = repository();
    let answer = root.join("answer.json");
    let script = root.join("drive.el");
    std::fs::write(&script, LISP).unwrap();
    let mut emacs = Command::new("emacs");
    emacs.args(["--batch", "-q", "--eval", "(package-initialize)", "-l"]).arg(&script);
    emacs.env("HIERATIC", env!("CARGO_BIN_EXE_hieratic")).env("ROOT", &root).env("ANSWER", &answer);
    emacs.env("WRONG", WRONG).env("RIGHT", RIGHT).env("XDG_STATE_HOME", &root);
    let output = emacs.output().unwrap();
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    let text = std::fs::read_to_string(&answer).unwrap_or_else(|_| panic!("emacs has no answer: {message}"));
    assert_seen(&serde_json::from_str(&text).unwrap());
}

/// The blocks of a language in a section of the page about editors.
fn blocks_of(section: &str, language: &str) -> Vec<String> {
    let page = include_str!("../../../docs/editors.md");
    let section = page.split("\n### ").find(|part| part.starts_with(section)).unwrap();
    let begin = format!("```{language}\n");
    section.split(begin.as_str()).skip(1).map(|block| block.split("```").next().unwrap().to_owned()).collect()
}

/// A folder for the `PATH` in which the command has its name.
fn folder_of_the_command() -> String {
    let folder = Path::new(env!("CARGO_BIN_EXE_hieratic")).parent().unwrap();
    format!("{}:{}", folder.display(), std::env::var("PATH").unwrap_or_default())
}

#[test]
fn the_set_ups_for_neovim_work_as_they_are_written() {
    let version = ["--clean", "--headless", "-c", "if !has('nvim-0.11') | cquit | endif | qall"];
    if !is_installed("nvim", &version) {
        skipped("nvim 0.11 is not installed");
        return;
    }
    let [newer, older, choose] = blocks_of("Neovim", "lua").try_into().unwrap();
    for set_up in [newer, older] {
        let (_folder, root) = repository();
        let (init, script, answer) = (root.join("init.lua"), root.join("drive.lua"), root.join("answer.txt"));
        std::fs::write(&init, set_up + &choose).unwrap();
        std::fs::write(&script, SET_UP_LUA).unwrap();
        let mut nvim = Command::new("nvim");
        nvim.arg("--headless").arg("-u").arg(&init).arg("data/common.yaml").current_dir(&root);
        nvim.arg("-c").arg(format!("luafile {}", script.display())).env("ANSWER", &answer);
        nvim.env("PATH", folder_of_the_command()).env("XDG_STATE_HOME", &root).env("XDG_DATA_HOME", &root);
        let said = nvim.output().unwrap();
        let text = std::fs::read_to_string(&answer).unwrap_or_else(|_| panic!("nvim has no answer: {said:?}"));
        assert_eq!(text, format!("hieratic {}\nduplicate-key\nweb01.example.com\n", root.display()), "{said:?}");
    }
}

const SET_UP_LUA: &str = r#"
local client
vim.wait(60000, function()
  client = vim.lsp.get_clients({ bufnr = 0 })[1]
  return client and client.initialized
end, 20)
local answer = { client.name .. " " .. client.root_dir }
vim.api.nvim_buf_set_lines(0, -1, -1, false, { "a: 1", "a: 2" })
vim.wait(60000, function() return #vim.diagnostic.get(0) > 0 end, 20)
table.insert(answer, vim.diagnostic.get(0)[1].code)
vim.cmd("HieraticNode web01.example.com")
local at = { textDocument = vim.lsp.util.make_text_document_params(0), position = { line = 9, character = 3 } }
vim.wait(60000, function()
  local answers = vim.lsp.buf_request_sync(0, "textDocument/hover", at, 30000) or {}
  local hover = answers[client.id] and answers[client.id].result
  return hover and hover.contents.value:find("For the node web01.example.com", 1, true)
end, 200)
local hover = vim.lsp.buf_request_sync(0, "textDocument/hover", at, 30000)[client.id].result.contents.value
table.insert(answer, hover:match("For the node ([%w%.]+):") or hover)
local out = io.open(os.getenv("ANSWER"), "w")
out:write(table.concat(answer, "\n") .. "\n")
out:close()
vim.cmd("qall!")
"#;

#[test]
fn the_set_up_for_emacs_works_as_it_is_written() {
    let needed =
        ["--batch", "-q", "--eval", "(package-initialize)", "--eval", "(progn (require 'eglot) (require 'yaml-mode))"];
    if !is_installed("emacs", &needed) {
        skipped("emacs, eglot or yaml-mode is not installed");
        return;
    }
    let [set_up] = blocks_of("Emacs", "elisp").try_into().unwrap();
    let (_folder, root) = repository();
    let (init, script) = (root.join("init.el"), root.join("drive.el"));
    std::fs::write(&init, set_up).unwrap();
    std::fs::write(&script, SET_UP_LISP).unwrap();
    let mut emacs = Command::new("emacs");
    emacs.args(["--batch", "-q", "--eval", "(package-initialize)", "-l"]).arg(&init).arg("-l").arg(&script);
    emacs.env("PATH", folder_of_the_command()).env("ROOT", &root);
    let output = emacs.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("hieratic [duplicate-key]: The key 'a' is duplicated"), "{output:?}");
}

const SET_UP_LISP: &str = r#"
(require 'eglot) (require 'yaml-mode)
(setq eglot-sync-connect 60 inhibit-message t)
(let* ((root (file-name-as-directory (getenv "ROOT"))) (begun (float-time)))
  (cl-defmethod project-root ((_project (head hieratic))) root)
  (find-file (expand-file-name "data/common.yaml" root))
  (yaml-mode)
  (setq-local project-find-functions (list (lambda (_) (cons 'hieratic root))))
  (goto-char (point-max))
  (insert "a: 1\na: 2\n")
  (apply #'eglot (eglot--guess-contact))
  (while (and (null (flymake-diagnostics)) (< (- (float-time) begun) 60)) (accept-process-output nil 0.1))
  (dolist (one (flymake-diagnostics)) (princ (flymake-diagnostic-text one)) (terpri)))
"#;

#[test]
fn the_extension_of_vs_code_describes_itself() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../editors/vscode");
    let manifest: Value = serde_json::from_str(&std::fs::read_to_string(folder.join("package.json")).unwrap()).unwrap();
    let readme = std::fs::read_to_string(folder.join("README.md")).unwrap();
    let parts = &manifest["contributes"];
    for setting in parts["configuration"]["properties"].as_object().unwrap().keys() {
        assert!(readme.contains(&format!("`{setting}`")), "{setting} is not in the README of the extension");
    }
    let steps = parts["walkthroughs"].as_array().unwrap().iter().flat_map(|one| one["steps"].as_array().unwrap());
    let files = steps.map(|step| &step["media"]["markdown"]).chain([&manifest["icon"]]);
    let names: Vec<&str> = files.map(|file| file.as_str().unwrap()).collect();
    assert!(names.len() > 2, "{names:?}");
    for name in names {
        assert!(folder.join(name).is_file(), "{name} does not exist");
    }
    let named: Vec<&str> =
        parts["commands"].as_array().unwrap().iter().filter_map(|one| one["command"].as_str()).collect();
    let text = manifest.to_string();
    for called in text.split("command:hieratic.").skip(1).chain(text.split("onCommand:hieratic.").skip(1)) {
        let called = called.split(|c: char| !c.is_ascii_alphabetic()).next().unwrap();
        assert!(named.contains(&format!("hieratic.{called}").as_str()), "there is no command {called}");
    }
}

const LISP: &str = r#"
(require 'cl-lib) (require 'json) (require 'eglot) (require 'yaml-mode)
(defvar shown nil)
(cl-defmethod eglot-handle-notification :after
  (_server (_method (eql textDocument/publishDiagnostics)) &key _uri diagnostics &allow-other-keys)
  (setq shown diagnostics))
(add-to-list 'eglot-server-programs (list 'yaml-mode (getenv "HIERATIC") "lsp"))
(setq eglot-sync-connect 60 eglot-autoshutdown nil eglot-events-buffer-size 0
      inhibit-message t coding-system-for-read 'utf-8 coding-system-for-write 'utf-8)
(let* ((root (file-name-as-directory (getenv "ROOT")))
       (seen (make-hash-table :test 'equal)))
  (cl-defmethod project-root ((_project (head hieratic))) root)
  (find-file (expand-file-name "data/common.yaml" root))
  (yaml-mode)
  (setq-local project-find-functions (list (lambda (_) (cons 'hieratic root))))
  (let* ((server (progn (apply #'eglot (eglot--guess-contact)) (eglot-current-server)))
         (ask (lambda (method parameters) (jsonrpc-request server method parameters :timeout 60)))
         (document (list :uri (eglot--path-to-uri buffer-file-name)))
         (write (lambda (text)
                  (erase-buffer)
                  (insert text)
                  (eglot--signal-textDocument/didChange)
                  (funcall ask :hieratic/settled (make-hash-table))
                  (accept-process-output nil 0.3)))
         (at (lambda (line character) (list :textDocument document :position (list :line line :character character)))))
    (funcall write (getenv "WRONG"))
    (puthash "diagnostics" (vconcat (mapcar (lambda (one) (list :code (plist-get one :code)
      :line (plist-get (plist-get (plist-get one :range) :start) :line))) shown)) seen)
    (let ((range (plist-get (aref shown 0) :range)))
      (puthash "range" (vector (plist-get (plist-get range :start) :line) (plist-get (plist-get range :start) :character)
                               (plist-get (plist-get range :end) :line) (plist-get (plist-get range :end) :character)) seen))
    (funcall write (getenv "RIGHT"))
    (puthash "cured" (cl-count 1 shown :key (lambda (one) (plist-get one :severity))) seen)
    (puthash "symbols" (funcall ask :textDocument/documentSymbol (list :textDocument document)) seen)
    (puthash "hover" (plist-get (plist-get (funcall ask :textDocument/hover (funcall at 0 4)) :contents) :value) seen)
    (funcall write "x: 1\nprofile::web::p\n")
    (puthash "completions" (vconcat (mapcar (lambda (item) (plist-get item :label))
      (plist-get (funcall ask :textDocument/completion (funcall at 1 15)) :items))) seen)
    (with-temp-file (getenv "ANSWER") (insert (json-serialize seen)))
    (set-buffer-modified-p nil)
    (ignore-errors (eglot-shutdown server))))
"#;

#[test]
fn the_client_of_vs_code_speaks_with_the_server() {
    const NEEDED: &str = "vscode-languageserver-protocol/node";
    if !is_installed("node", &["-e", &format!("require.resolve('{NEEDED}')")]) {
        skipped(&format!("node or {NEEDED} is not installed (npm install -g, and NODE_PATH)"));
        return;
    }
    let (_folder, root) = repository();
    let script = root.join("drive.js");
    std::fs::write(&script, JAVASCRIPT).unwrap();
    let mut node = Command::new("node");
    node.arg(&script).env("HIERATIC", env!("CARGO_BIN_EXE_hieratic")).env("ROOT", &root);
    node.env("WRONG", WRONG).env("RIGHT", RIGHT).env("XDG_STATE_HOME", &root).env("FEATURES", features().to_string());
    let output = node.output().unwrap();
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{message}");
    let seen: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_seen(&seen);
    assert_answered(&seen["answers"]);
}

const JAVASCRIPT: &str = r#"
const { spawn } = require("child_process");
const { pathToFileURL } = require("url");
const protocol = require("vscode-languageserver-protocol/node");
const root = process.env.ROOT;
const server = spawn(process.env.HIERATIC, ["lsp"], { stdio: ["pipe", "pipe", "inherit"] });
const connection = protocol.createProtocolConnection(
  new protocol.StreamMessageReader(server.stdout), new protocol.StreamMessageWriter(server.stdin));
let shown = [];
const uri = pathToFileURL(root + "/data/common.yaml").toString();
connection.onNotification(protocol.PublishDiagnosticsNotification.type, (params) => {
  if (params.uri === uri) shown = params.diagnostics;
});
connection.listen();
(async () => {
  const folders = [{ uri: pathToFileURL(root).toString(), name: "root" }];
  await connection.sendRequest(protocol.InitializeRequest.type,
    { processId: process.pid, rootUri: folders[0].uri, workspaceFolders: folders, capabilities: {} });
  await connection.sendNotification(protocol.InitializedNotification.type, {});
  let version = 1;
  await connection.sendNotification(protocol.DidOpenTextDocumentNotification.type,
    { textDocument: { uri, languageId: "yaml", version, text: process.env.WRONG } });
  const settled = () => connection.sendRequest("hieratic/settled");
  const type = async (text) => {
    version += 1;
    await connection.sendNotification(protocol.DidChangeTextDocumentNotification.type,
      { textDocument: { uri, version }, contentChanges: [{ text }] });
    await settled();
  };
  await settled();
  const seen = {};
  seen.diagnostics = shown.map((one) => ({ code: one.code, line: one.range.start.line }));
  const range = shown[0].range;
  seen.range = [range.start.line, range.start.character, range.end.line, range.end.character];
  await type(process.env.RIGHT);
  seen.cured = shown.filter((one) => one.severity === 1).length;
  const textDocument = { uri };
  const hover = await connection.sendRequest(protocol.HoverRequest.type, { textDocument, position: { line: 0, character: 4 } });
  seen.hover = hover.contents.value;
  seen.symbols = await connection.sendRequest(protocol.DocumentSymbolRequest.type, { textDocument });
  await type("x: 1\nprofile::web::p\n");
  const found = await connection.sendRequest(protocol.CompletionRequest.type, { textDocument, position: { line: 1, character: 15 } });
  seen.completions = found.items.map((item) => item.label);
  seen.answers = [];
  for (const feature of JSON.parse(process.env.FEATURES)) {
    const at = pathToFileURL(root + "/" + feature.file).toString();
    if (at === uri) {
      await type(feature.text);
    } else {
      await connection.sendNotification(protocol.DidOpenTextDocumentNotification.type,
        { textDocument: { uri: at, languageId: "", version: 1, text: feature.text } });
      await settled();
    }
    const position = { line: feature.line, character: feature.character };
    const whole = { start: { line: 0, character: 0 }, end: { line: 99, character: 0 } };
    seen.answers.push(await connection.sendRequest(feature.method, { textDocument: { uri: at }, position, positions: [position],
      range: feature.method === "textDocument/codeAction" ? { start: position, end: position } : whole, options: { tabSize: 2, insertSpaces: true },
      context: { includeDeclaration: true, diagnostics: [], triggerKind: 1, isRetrigger: false } }));
    if (at !== uri) await connection.sendNotification(protocol.DidCloseTextDocumentNotification.type, { textDocument: { uri: at } });
  }
  await connection.sendRequest(protocol.ShutdownRequest.type);
  await connection.sendNotification(protocol.ExitNotification.type);
  process.stdout.write(JSON.stringify(seen));
  server.on("exit", (status) => process.exit(status === 0 ? 0 : 1));
})().catch((error) => { console.error(error); process.exit(1); });
"#;
