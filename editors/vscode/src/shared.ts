import * as vscode from "vscode";
import type { BaseLanguageClient, LanguageClientOptions } from "vscode-languageclient";

/** Creates the client of a server: of a program on a desktop, of WebAssembly in a browser. */
export type CreateClient = (
  context: vscode.ExtensionContext,
  settings: vscode.WorkspaceConfiguration,
  options: LanguageClientOptions,
) => Promise<{ client: BaseLanguageClient; failure: (error: unknown) => string }>;

let client: BaseLanguageClient | undefined;
let create: CreateClient;
let extension: vscode.ExtensionContext;
let status: vscode.StatusBarItem | undefined;
let state: vscode.Memento | undefined;

/** The node whose values are shown, those among which it can be chosen, and what was not judged. */
interface Status {
  node: string | null;
  nodes: string[];
  files: number;
  notJudged: string[];
}

/** The graph of classes. */
interface ClassGraph {
  dot: string;
}

/** Where the chosen node is kept, for each workspace. */
const NODE = "hieratic.node";

/** The scheme of documents that are made of others. */
const EXPANDED = "hieratic-expanded";

const LANGUAGES = ["puppet", "epp", "yaml", "json", "hcl", "nomad", "jinja", "jinja-html", "hocon", "erb"];

/** Files whose languages other extensions name, if they are installed at all. */
const PATTERNS = ["**/*.{j2,jinja,jinja2}", "**/*.erb", "**/*.{conf,hocon}"];

/** Where files are: on disk, or where a browser has them. */
const SCHEMES = vscode.env.uiKind === vscode.UIKind.Web ? ["file", "vscode-vfs", "vscode-test-web", "memfs"] : ["file"];

/** Starts the extension with the client of one of the two systems. */
export async function activateWith(context: vscode.ExtensionContext, createClient: CreateClient): Promise<void> {
  create = createClient;
  extension = context;
  state = context.workspaceState;
  status = vscode.window.createStatusBarItem(vscode.StatusBarAlignment.Right, 50);
  status.command = "hieratic.pickNode";
  context.subscriptions.push(
    status,
    vscode.commands.registerCommand("hieratic.pickNode", pickNode),
    vscode.commands.registerCommand("hieratic.showExpanded", showExpanded),
    vscode.commands.registerCommand("hieratic.showGraph", showGraph),
    vscode.commands.registerCommand("hieratic.restart", async () => {
      await stop();
      await start();
    }),
    vscode.workspace.registerTextDocumentContentProvider(EXPANDED, { provideTextDocumentContent: expanded }),
    vscode.workspace.onDidChangeConfiguration(async (change) => {
      if (change.affectsConfiguration("hieratic")) {
        await stop();
        await start();
      }
    }),
  );
  await start();
}

async function start(): Promise<void> {
  const settings = vscode.workspace.getConfiguration("hieratic");
  const options: LanguageClientOptions = {
    documentSelector: [
      ...SCHEMES.flatMap((scheme) => LANGUAGES.map((language) => ({ scheme, language }))),
      ...SCHEMES.flatMap((scheme) => PATTERNS.map((pattern) => ({ scheme, pattern }))),
    ],
    initializationOptions: {
      facts: settings.get<string[]>("facts", []),
      variableFiles: settings.get<string[]>("variableFiles", []),
      puppetVersion: settings.get<string>("puppetVersion", "8"),
      unused: settings.get<boolean>("unused", false),
      node: state?.get<string>(NODE) ?? null,
    },
    synchronize: { fileEvents: vscode.workspace.createFileSystemWatcher("**/*") },
  };
  const created = await create(extension, settings, options);
  client = created.client;
  client.onNotification("hieratic/status", show);
  try {
    await client.start();
  } catch (error) {
    const settingsButton = "Open settings";
    const chosen = await vscode.window.showErrorMessage(
      created.failure(error),
      settingsButton,
    );
    if (chosen === settingsButton) {
      await vscode.commands.executeCommand("workbench.action.openSettings", "hieratic.path");
    }
  }
}

export async function stop(): Promise<void> {
  const running = client;
  client = undefined;
  if (running?.isRunning()) {
    await running.stop();
  }
}

function show(now: Status): void {
  if (!status) {
    return;
  }
  status.text = `$(server) ${now.node ?? "no node"}`;
  const notJudged = now.notJudged.length > 0 ? `\nNot judged: ${now.notJudged.join(", ")}` : "";
  status.tooltip = `The node whose values Hieratic shows\n${now.files} files are checked${notJudged}`;
  status.show();
}

/** Runs a command of the server. */
async function run<T>(command: string, ...args: unknown[]): Promise<T | undefined> {
  return client?.sendRequest<T>("workspace/executeCommand", { command, arguments: args });
}

/** Shows the graph of classes around the open manifest, or of all manifests, in the language of Graphviz. */
async function showGraph(): Promise<void> {
  const open = vscode.window.activeTextEditor?.document;
  const isCode = open?.languageId === "puppet";
  const graph = await run<ClassGraph>("hieratic.graph", ...(open && isCode ? [open.uri.toString()] : []));
  if (graph) {
    const document = await vscode.workspace.openTextDocument({ language: "dot", content: graph.dot });
    await vscode.window.showTextDocument(document, vscode.ViewColumn.Beside);
  }
}

async function pickNode(): Promise<void> {
  const now = await run<Status>("hieratic.chooseNode");
  if (!now) {
    return;
  }
  const none = "$(circle-slash) No node: values are those of a node that reads the file";
  const other = "$(edit) Another name…";
  const picked = await vscode.window.showQuickPick([none, ...now.nodes, other], {
    placeHolder: "The node whose values are shown",
  });
  if (!picked) {
    return;
  }
  const name = picked === none ? null : picked === other ? await vscode.window.showInputBox({ prompt: "Name of the node" }) : picked;
  if (name === undefined) {
    return;
  }
  await run("hieratic.chooseNode", name);
  await state?.update(NODE, name ?? undefined);
}

async function showExpanded(): Promise<void> {
  const document = vscode.window.activeTextEditor?.document;
  if (!document) {
    return;
  }
  const uri = vscode.Uri.from({ scheme: EXPANDED, path: `${document.uri.path} (expanded)`, query: document.uri.toString() });
  const opened = await vscode.workspace.openTextDocument(uri);
  await vscode.languages.setTextDocumentLanguage(opened, "yaml");
  await vscode.window.showTextDocument(opened, { viewColumn: vscode.ViewColumn.Beside, preview: true });
}

async function expanded(uri: vscode.Uri): Promise<string> {
  try {
    return (await client?.sendRequest<string>("hieratic/expand", { textDocument: { uri: uri.query } })) ?? "";
  } catch (error) {
    return `# ${error instanceof Error ? error.message : String(error)}`.replaceAll("\n", "\n# ");
  }
}
