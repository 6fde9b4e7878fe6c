// Loads what runs the examples of the documentation, if the playground is beside it.
// `path_to_root` is mdBook's.
import(new URL(`${path_to_root}play/run.js`, document.baseURI)).catch(() => {});
