#ifndef HIERATIC_H
#define HIERATIC_H

#include <stdint.h>

/*
 The kind of an error.
 */
typedef enum {
  /*
   The key has no value.
   */
  HIERATIC_ERROR_KIND_NOT_FOUND = 1,
  /*
   An argument or an option is invalid: NULL, not UTF-8, not JSON, an unknown name.
   */
  HIERATIC_ERROR_KIND_ARGUMENT = 2,
  /*
   The engine returned an error: see hieratic_error_code.
   */
  HIERATIC_ERROR_KIND_FAILED = 3,
  /*
   The library is at fault: please report it.
   */
  HIERATIC_ERROR_KIND_INTERNAL = 4,
} hieratic_error_kind;

/*
 An environment: its layers of data, opened once. Threads may use it at the same time.
 */
typedef struct hieratic_environment hieratic_environment;

/*
 An error: free it with hieratic_error_free. Its strings live as long as it does. Threads may read it at the same
 time.
 */
typedef struct hieratic_error hieratic_error;

/*
 A machine's view of an environment. It sees files as they were when it first needed them: open a new one to see what changed since.
 Threads may use it at the same time.
 */
typedef struct hieratic_node hieratic_node;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/*
 The version of the library, such as "0.1.0". The string is never freed.
 */
const char *hieratic_version(void);

/*
 Frees a string that a function has returned (not those of an error, which the error owns). NULL is allowed.

 # Safety
 `text` is NULL, or a string that a function of this library has returned and that was not freed.
 */
void hieratic_string_free(char *text);

/*
 Expands the merge directives of a YAML document: a JSON object with data, and directives (those that were written in
 the document, each with path, key and value).

 `options` is NULL or a JSON object: name (of the document, in messages), folder (of relative paths; the
 current folder by default), variables (an object of strings: environment variables that names of files may have),
 allow_outside and allow_network.

 Free the result with hieratic_string_free. NULL means failure: then `*error` is an error to free, unless `error` is
 NULL.

 # Safety
 Strings are NULL or end with NUL; `error` is NULL or can be written to.
 */
char *hieratic_expand(const char *document,
                      const char *options,
                      hieratic_error **error);

/*
 Restores the directives of a document from its changed, expanded data: returns the new source. `original` is the
 document with its directives, `changed` a JSON object. The options are those of hieratic_expand.

 Free the result with hieratic_string_free. NULL means failure: then `*error` is an error to free, unless `error` is
 NULL.

 # Safety
 Strings are NULL or end with NUL; `error` is NULL or can be written to.
 */
char *hieratic_restore(const char *original,
                       const char *changed,
                       const char *options,
                       hieratic_error **error);

/*
 A document of HCL as JSON: an expression is "${...}" with its source, a block is a list below its labels. `options`
 is NULL or a JSON object: name (of the document, in messages).

 Free the result with hieratic_string_free. NULL means failure: then `*error` is an error to free, unless `error` is
 NULL.

 # Safety
 Strings are NULL or end with NUL; `error` is NULL or can be written to.
 */
char *hieratic_hcl_to_json(const char *document,
                           const char *options,
                           hieratic_error **error);

/*
 A Nomad job as the API's JSON. `node` is NULL, or the node for lookups by the function `hiera` of the job; its
 secrets are redacted, unless the option reveal is true.

 `options` is NULL or a JSON object: variables (an object of strings, as `-var` takes them), var_files (a list of
 paths), name (of the job, in messages), folder (of the job), allow_files (functions on files work, in that folder),
 allow_outside, allow_undeclared (values for variables that the job does not declare are ignored) and reveal.

 Free the result with hieratic_string_free. NULL means failure: then `*error` is an error to free, unless `error` is
 NULL.

 # Safety
 `node` is NULL or not freed; strings are NULL or end with NUL; `error` is NULL or can be written to.
 */
char *hieratic_job(const hieratic_node *node,
                   const char *job,
                   const char *options,
                   hieratic_error **error);

/*
 Opens an environment of the control repository that a folder is in.

 `options` is NULL or a JSON object: environment (its name), environment_dir, environmentpath, codedir, confdir,
 hiera_config, modulepath, datadirs (an object: folders in hiera.yaml, each with the local folder), puppet_version
 ("7" or "8"), strict ("off", "warning" or "error"), and the permissions allow_programs, allow_outside, allow_network
 (false by default) and confined.

 Free the result with hieratic_environment_free. NULL means failure: then `*error` is an error to free, unless
 `error` is NULL.

 # Safety
 Strings are NULL or end with NUL; `error` is NULL or can be written to.
 */
hieratic_environment *hieratic_environment_open(const char *folder,
                                                const char *options,
                                                hieratic_error **error);

/*
 Frees an environment. Its nodes stay usable. NULL is allowed.

 # Safety
 `environment` is NULL, or an environment that was not freed and that no other thread uses.
 */
void hieratic_environment_free(hieratic_environment *environment);

/*
 The kind of the error; HIERATIC_ERROR_KIND_ARGUMENT for NULL.

 # Safety
 `error` is NULL, or an error of this library that was not freed.
 */
hieratic_error_kind hieratic_error_get_kind(const hieratic_error *error);

/*
 The code of the error, as docs/errors lists it, such as "key-not-found". NULL if it has none. The error owns the string.

 # Safety
 `error` is NULL, or an error of this library that was not freed.
 */
const char *hieratic_error_code(const hieratic_error *error);

/*
 The message: one sentence. NULL for NULL. The error owns the string.

 # Safety
 `error` is NULL, or an error of this library that was not freed.
 */
const char *hieratic_error_message(const hieratic_error *error);

/*
 The file of the error, or NULL. The error owns the string.

 # Safety
 `error` is NULL, or an error of this library that was not freed.
 */
const char *hieratic_error_file(const hieratic_error *error);

/*
 The line in the file, counted from 1, or 0.

 # Safety
 `error` is NULL, or an error of this library that was not freed.
 */
uint32_t hieratic_error_line(const hieratic_error *error);

/*
 The column in the line, counted from 1, or 0.

 # Safety
 `error` is NULL, or an error of this library that was not freed.
 */
uint32_t hieratic_error_column(const hieratic_error *error);

/*
 The help: what to try, one suggestion per line, or NULL. The error owns the string.

 # Safety
 `error` is NULL, or an error of this library that was not freed.
 */
const char *hieratic_error_help(const hieratic_error *error);

/*
 The full report, as the command prints it, with excerpts of the source. NULL for NULL. The error owns the string.

 # Safety
 `error` is NULL, or an error of this library that was not freed.
 */
const char *hieratic_error_report(const hieratic_error *error);

/*
 Frees an error and its strings. NULL is allowed.

 # Safety
 `error` is NULL, or an error of this library that was not freed.
 */
void hieratic_error_free(hieratic_error *error);

/*
 Looks up a key: its value as JSON. Secrets are redacted, unless the option reveal is true.

 `options` is NULL or a JSON object: default (any value: the answer if the key has none), merge ("first", "unique",
 "hash", "deep", or an object with strategy), type (a Puppet type that the value must have) and reveal.

 Free the result with hieratic_string_free. NULL means failure: then `*error` is an error to free, unless `error` is
 NULL.

 # Safety
 `node` is NULL or not freed; strings are NULL or end with NUL; `error` is NULL or can be written to.
 */
char *hieratic_lookup(const hieratic_node *node,
                      const char *key,
                      const char *options,
                      hieratic_error **error);

/*
 Looks up all keys that the node's hierarchy can answer: a JSON object. Secrets are redacted, unless the option
 reveal is true.

 `options` is NULL or a JSON object: patterns (a list of strings: keys, with * and ?), skip_errors (leave out keys
 whose lookup fails) and reveal.

 Free the result with hieratic_string_free. NULL means failure: then `*error` is an error to free, unless `error` is
 NULL.

 # Safety
 `node` is NULL or not freed; strings are NULL or end with NUL; `error` is NULL or can be written to.
 */
char *hieratic_lookup_all(const hieratic_node *node,
                          const char *options,
                          hieratic_error **error);

/*
 The keys that the node's hierarchy can answer, sorted: a JSON array of strings.

 Free the result with hieratic_string_free. NULL means failure: then `*error` is an error to free, unless `error` is
 NULL.

 # Safety
 `node` is NULL or not freed; `error` is NULL or can be written to.
 */
char *hieratic_keys(const hieratic_node *node,
                    hieratic_error **error);

/*
 Explains the answer to a key: the JSON object that `hieratic lookup KEY --why --render-as json` prints. A key
 without a value is not an error: found is false. `options` is that of hieratic_lookup.

 Free the result with hieratic_string_free. NULL means failure: then `*error` is an error to free, unless `error` is
 NULL.

 # Safety
 `node` is NULL or not freed; strings are NULL or end with NUL; `error` is NULL or can be written to.
 */
char *hieratic_why(const hieratic_node *node,
                   const char *key,
                   const char *options,
                   hieratic_error **error);

/*
 The origins of the parts of a value: a JSON array with an object for each leaf: path (a list of keys and indexes),
 value, file, line and column (or source, for a value without a file), and secret. `options` is that of
 hieratic_lookup.

 Free the result with hieratic_string_free. NULL means failure: then `*error` is an error to free, unless `error` is
 NULL.

 # Safety
 `node` is NULL or not freed; strings are NULL or end with NUL; `error` is NULL or can be written to.
 */
char *hieratic_origins(const hieratic_node *node,
                       const char *key,
                       const char *options,
                       hieratic_error **error);

/*
 Opens a node.

 `name` is NULL if a fact contains the name (clientcert, networking.fqdn or fqdn). `facts` is NULL or a JSON object.
 `options` is NULL or a JSON object: trusted (an object) and variables (an object: top-scope variables).

 Free the result with hieratic_node_free. NULL means failure: then `*error` is an error to free, unless `error` is
 NULL.

 # Safety
 `environment` is NULL or not freed; strings are NULL or end with NUL; `error` is NULL or can be written to.
 */
hieratic_node *hieratic_node_open(const hieratic_environment *environment,
                                  const char *name,
                                  const char *facts,
                                  const char *options,
                                  hieratic_error **error);

/*
 Frees a node. NULL is allowed.

 # Safety
 `node` is NULL, or a node that was not freed and that no other thread uses.
 */
void hieratic_node_free(hieratic_node *node);

/*
 Evaluates code: the value as JSON. Secrets are redacted, unless the option reveal is true.

 `language` is "puppet", "hcl" or "unfurl". `node` is NULL, or the node for lookups in the code. The code of unfurl
 is JSON: a string or an object.

 `options` is NULL or a JSON object: facts (an object, without a node), variables (an object), tree (for unfurl: the
 data of the expression), folder (for unfurl: the folder of relative paths), reveal, and without a node the
 permissions of hieratic_environment_open.

 Free the result with hieratic_string_free. NULL means failure: then `*error` is an error to free, unless `error` is
 NULL.

 # Safety
 `node` is NULL or not freed; strings are NULL or end with NUL; `error` is NULL or can be written to.
 */
char *hieratic_eval(const hieratic_node *node,
                    const char *language,
                    const char *code,
                    const char *options,
                    hieratic_error **error);

/*
 Renders a template: its output, which is not JSON. Secrets are redacted, unless the option reveal is true; an output
 that depends on a Sensitive value is redacted as a whole.

 `language` is "epp", "erb", "jinja2" or "hcl". `node` is NULL, or the node for lookups in the template.

 `options` is NULL or a JSON object: facts (an object, without a node), variables (an object), name (of the template,
 in messages), folder (of relative paths), reveal, and without a node the permissions of hieratic_environment_open.

 Free the result with hieratic_string_free. NULL means failure: then `*error` is an error to free, unless `error` is
 NULL.

 # Safety
 `node` is NULL or not freed; strings are NULL or end with NUL; `error` is NULL or can be written to.
 */
char *hieratic_render(const hieratic_node *node,
                      const char *language,
                      const char *template_,
                      const char *options,
                      hieratic_error **error);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* HIERATIC_H */
