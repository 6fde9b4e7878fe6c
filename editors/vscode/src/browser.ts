// The extension in VS Code for the Web: the language server is WebAssembly in a worker, over copies of the files of the workspace.

import * as vscode from "vscode";
import { FileChangeType, LanguageClient } from "vscode-languageclient/browser";

import { activateWith, stop } from "./shared";

/** The files that the server reads: data, code, templates, jobs. */
const FILES = "**/*.{yaml,yml,eyaml,json,pp,epp,erb,rb,hcl,nomad,nomadvars,tfvars,j2,jinja,jinja2,conf,hocon,toml}";
const LEFT_OUT = "{**/node_modules/**,**/.git/**}";
/** The most files that are copied, and the largest, in bytes. */
const MOST_FILES = 20_000;
const LARGEST = 4 << 20;

/** The folder of the first workspace folder in the worker; further ones are beside it. */
const folderOf = (index: number) => (index === 0 ? "/repository" : `/repository-${index}`);

let worker: Worker | undefined;

function pathOf(uri: vscode.Uri): string | undefined {
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  if (!folder) {
    return undefined;
  }
  return folderOf(folder.index) + uri.path.slice(folder.uri.path.replace(/\/$/, "").length);
}

function uriOf(text: string): vscode.Uri {
  const uri = vscode.Uri.parse(text);
  for (const folder of vscode.workspace.workspaceFolders ?? []) {
    const root = folderOf(folder.index);
    if (uri.scheme === "file" && (uri.path === root || uri.path.startsWith(`${root}/`))) {
      return folder.uri.with({ path: folder.uri.path.replace(/\/$/, "") + uri.path.slice(root.length) });
    }
  }
  return uri;
}

async function read(uri: vscode.Uri): Promise<[string, Uint8Array] | undefined> {
  const path = pathOf(uri);
  const about = path && (await vscode.workspace.fs.stat(uri));
  return path && about && about.size <= LARGEST ? [path, await vscode.workspace.fs.readFile(uri)] : undefined;
}

async function readAll(): Promise<[string, Uint8Array][]> {
  const found = await vscode.workspace.findFiles(FILES, LEFT_OUT, MOST_FILES);
  if (found.length === MOST_FILES) {
    void vscode.window.showWarningMessage(`Hieratic reads ${MOST_FILES} files of this workspace, and not the others.`);
  }
  const files = await Promise.all(found.map((uri) => read(uri).catch(() => undefined)));
  return files.filter((file) => file !== undefined);
}

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const watcher = vscode.workspace.createFileSystemWatcher(FILES);
  // The client names changed files at once, before their content is here: the server is told again when it has it.
  const write = (path: string, type: FileChangeType, content?: Uint8Array) => {
    worker?.postMessage({ hieratic: "file", path, content });
    const changes = [{ uri: vscode.Uri.from({ scheme: "file", path }).toString(), type }];
    worker?.postMessage({ jsonrpc: "2.0", method: "workspace/didChangeWatchedFiles", params: { changes } });
  };
  const changed = async (uri: vscode.Uri) => {
    const file = await read(uri).catch(() => undefined);
    if (file) {
      write(file[0], FileChangeType.Changed, file[1]);
    }
  };
  const removed = (uri: vscode.Uri) => {
    const path = pathOf(uri);
    if (path) {
      write(path, FileChangeType.Deleted);
    }
  };
  context.subscriptions.push(watcher, watcher.onDidChange(changed), watcher.onDidCreate(changed), watcher.onDidDelete(removed));
  await activateWith(context, async (_, __, options) => {
    worker?.terminate();
    worker = new Worker(vscode.Uri.joinPath(context.extensionUri, "out/worker.js").toString(true));
    const wasm = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(context.extensionUri, "out/hieratic.wasm"));
    worker.postMessage({ hieratic: "start", wasm, files: await readAll(), cwd: folderOf(0) });
    const client = new LanguageClient("hieratic", "Hieratic", {
      ...options,
      uriConverters: {
        code2Protocol: (uri) => vscode.Uri.from({ scheme: "file", path: pathOf(uri) ?? uri.path }).toString(),
        protocol2Code: uriOf,
      },
    }, worker);
    return { client, failure: (error) => `The language server cannot be started: ${error}.` };
  });
}

export async function deactivate(): Promise<void> {
  await stop();
  worker?.terminate();
}
