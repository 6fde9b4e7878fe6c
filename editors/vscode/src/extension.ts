import * as fs from "node:fs";
import * as path from "node:path";
import * as vscode from "vscode";
import { LanguageClient, ServerOptions } from "vscode-languageclient/node";

import { activateWith, stop } from "./shared";

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  await activateWith(context, async (_, settings, options) => {
    const command = settings.get<string>("path") || bundled(context.extensionPath) || "hieratic";
    const server: ServerOptions = { command, args: ["lsp", ...puppetdb(settings), ...settings.get<string[]>("arguments", [])] };
    return {
      client: new LanguageClient("hieratic", "Hieratic", server, options),
      failure: (error) => `The command '${command}' cannot be started: ${error}. Install hieratic, or set hieratic.path.`,
    };
  });
}

export async function deactivate(): Promise<void> {
  await stop();
}

/** The command that the extension of this platform has. */
function bundled(folder: string): string | undefined {
  const file = path.join(folder, "bin", process.platform === "win32" ? "hieratic.exe" : "hieratic");
  return fs.existsSync(file) ? file : undefined;
}

/** The flags that name a PuppetDB. */
function puppetdb(settings: vscode.WorkspaceConfiguration): string[] {
  const url = settings.get<string>("puppetdb.url");
  if (!url) {
    return [];
  }
  const files = ["ca", "cert", "key"].map((name) => [`--puppetdb-${name}`, settings.get<string>(`puppetdb.${name}`, "")]);
  return ["--puppetdb", url, ...files.filter(([, file]) => file).flat()];
}
