#ifndef HIERATIC_H
#define HIERATIC_H

#include <stddef.h>
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
  /*
   A file or folder that the caller named does not exist.
   */
  HIERATIC_ERROR_KIND_FILE_NOT_FOUND = 5,
  /*
   A limit of work or of time is reached.
   */
  HIERATIC_ERROR_KIND_LIMIT = 6,
} hieratic_error_kind;

/*
 The kind of a value.
 */
typedef enum {
  /*
   No value: undef in data, and the result for NULL.
   */
  HIERATIC_VALUE_KIND_UNDEF = 0,
  /*
   See hieratic_value_boolean.
   */
  HIERATIC_VALUE_KIND_BOOLEAN = 1,
  /*
   See hieratic_value_integer.
   */
  HIERATIC_VALUE_KIND_INTEGER = 2,
  /*
   See hieratic_value_float.
   */
  HIERATIC_VALUE_KIND_FLOAT = 3,
  /*
   See hieratic_value_string.
   */
  HIERATIC_VALUE_KIND_STRING = 4,
  /*
   See hieratic_value_length and hieratic_value_item.
   */
  HIERATIC_VALUE_KIND_ARRAY = 5,
  /*
   See hieratic_value_length, hieratic_value_key, hieratic_value_item and hieratic_value_get.
   */
  HIERATIC_VALUE_KIND_HASH = 6,
  /*
   A value that is only known as a string, such as a timestamp or an integer of more than 64 bits: see hieratic_value_string.
   */
  HIERATIC_VALUE_KIND_OTHER = 7,
} hieratic_value_kind;

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

/*
 A value with its type. Its parts live as long as it does. Threads may read it at the same time.
 */
typedef struct hieratic_value hieratic_value;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/*
 The version of the library, such as "0.1.0". The string is never freed.
 */
const char *hieratic_version(void);

/*
 Frees a string that a function has returned (not those of an error, which the error owns). NULL is allowed.

 The caller makes sure:
 `text` is NULL, or a string that a function of this library has returned and that was not freed.
 */
void hieratic_string_free(char *text);

/*
 Expands the merge directives of a YAML document: a JSON object with data, and directives (those that were written in
 the document, each with path, key and value).

 `options` is NULL or a JSON object: name (of the document, in messages), folder (of relative paths; the
 current folder by default), variables (an object of strings: environment variables that names of files may have),
 allow_outside, allow_network, limits and timeout.

 Free the result with hieratic_string_free. NULL means failure: then `*error` is an error to free, unless `error` is
 NULL.

 The caller makes sure:
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

 The caller makes sure:
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

 The caller makes sure:
 Strings are NULL or end with NUL; `error` is NULL or can be written to.
 */
char *hieratic_hcl_to_json(const char *document,
                           const char *options,
                           hieratic_error **error);

/*
 A Nomad job as the API's JSON. `node` is NULL, or the node for lookups by the function `hiera` of the job; its
 secrets are redacted, unless the option reveal is true.

 `options` is NULL or a JSON object: variables (an object of values, converted to the types of the variables as HCL
 converts), var_files (a list of paths), limits, timeout, name (of the job, in messages), folder (of the job), allow_files (functions on files work, in that folder),
 allow_outside, allow_undeclared (values for variables that the job does not declare are ignored) and reveal.

 Free the result with hieratic_string_free. NULL means failure: then `*error` is an error to free, unless `error` is
 NULL.

 The caller makes sure:
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
 ("7" or "8"), strict ("off", "warning" or "error"), the permissions allow_programs, allow_outside, allow_network
 (false by default) and confined, and the defaults of each call: limits (an object: steps, bytes, depth,
 file, each with a number) and timeout (in seconds).

 Free the result with hieratic_environment_free. NULL means failure: then `*error` is an error to free, unless
 `error` is NULL.

 The caller makes sure:
 Strings are NULL or end with NUL; `error` is NULL or can be written to.
 */
hieratic_environment *hieratic_environment_open(const char *folder,
                                                const char *options,
                                                hieratic_error **error);

/*
 Frees an environment. Its nodes stay usable. NULL is allowed.

 The caller makes sure:
 `environment` is NULL, or an environment that was not freed and that no other thread uses.
 */
void hieratic_environment_free(hieratic_environment *environment);

/*
 The kind of the error; HIERATIC_ERROR_KIND_ARGUMENT for NULL.

 The caller makes sure:
 `error` is NULL, or an error of this library that was not freed.
 */
hieratic_error_kind hieratic_error_get_kind(const hieratic_error *error);

/*
 The code of the error, as docs/errors lists it, such as "key-not-found". NULL if it has none. The error owns the string.

 The caller makes sure:
 `error` is NULL, or an error of this library that was not freed.
 */
const char *hieratic_error_code(const hieratic_error *error);

/*
 The message: one sentence. NULL for NULL. The error owns the string.

 The caller makes sure:
 `error` is NULL, or an error of this library that was not freed.
 */
const char *hieratic_error_message(const hieratic_error *error);

/*
 The file of the error, or NULL. The error owns the string.

 The caller makes sure:
 `error` is NULL, or an error of this library that was not freed.
 */
const char *hieratic_error_file(const hieratic_error *error);

/*
 The line in the file, counted from 1, or 0.

 The caller makes sure:
 `error` is NULL, or an error of this library that was not freed.
 */
uint32_t hieratic_error_line(const hieratic_error *error);

/*
 The column in the line, counted from 1, or 0.

 The caller makes sure:
 `error` is NULL, or an error of this library that was not freed.
 */
uint32_t hieratic_error_column(const hieratic_error *error);

/*
 The help: what to try, one suggestion per line, or NULL. The error owns the string.

 The caller makes sure:
 `error` is NULL, or an error of this library that was not freed.
 */
const char *hieratic_error_help(const hieratic_error *error);

/*
 The full report, as the command prints it, with excerpts of the source. NULL for NULL. The error owns the string.

 The caller makes sure:
 `error` is NULL, or an error of this library that was not freed.
 */
const char *hieratic_error_report(const hieratic_error *error);

/*
 Frees an error and its strings. NULL is allowed.

 The caller makes sure:
 `error` is NULL, or an error of this library that was not freed.
 */
void hieratic_error_free(hieratic_error *error);

/*
 Looks up a key: its value as JSON. Secrets are redacted, unless the option reveal is true.

 `options` is NULL or a JSON object: default (any value: the answer if the key has none), merge ("first", "unique",
 "hash", "deep", or an object with strategy), type (a Puppet type that the value must have), reveal, limits and timeout
 (as hieratic_environment_open takes them).

 Free the result with hieratic_string_free. NULL means failure: then `*error` is an error to free, unless `error` is
 NULL.

 The caller makes sure:
 `node` is NULL or not freed; strings are NULL or end with NUL; `error` is NULL or can be written to.
 */
char *hieratic_lookup(const hieratic_node *node,
                      const char *key,
                      const char *options,
                      hieratic_error **error);

/*
 Looks up a key, like hieratic_lookup, with the same options: its value with its type.

 Free the result with hieratic_value_free. NULL means failure: then `*error` is an error to free, unless `error` is
 NULL.

 The caller makes sure:
 `node` is NULL or not freed; strings are NULL or end with NUL; `error` is NULL or can be written to.
 */
hieratic_value *hieratic_lookup_value(const hieratic_node *node,
                                      const char *key,
                                      const char *options,
                                      hieratic_error **error);

/*
 Looks up all keys that the node's hierarchy can answer: a JSON object. Secrets are redacted, unless the option
 reveal is true.

 `options` is NULL or a JSON object: patterns (a list of strings: keys, with * and ?), skip_errors (leave out keys
 whose lookup fails), allow_empty (accept patterns that no key matches), reveal, limits and timeout.

 Free the result with hieratic_string_free. NULL means failure: then `*error` is an error to free, unless `error` is
 NULL.

 The caller makes sure:
 `node` is NULL or not freed; strings are NULL or end with NUL; `error` is NULL or can be written to.
 */
char *hieratic_lookup_all(const hieratic_node *node,
                          const char *options,
                          hieratic_error **error);

/*
 The keys that the node's hierarchy can answer, sorted: a JSON array of strings.

 Free the result with hieratic_string_free. NULL means failure: then `*error` is an error to free, unless `error` is
 NULL.

 The caller makes sure:
 `node` is NULL or not freed; `error` is NULL or can be written to.
 */
char *hieratic_keys(const hieratic_node *node,
                    hieratic_error **error);

/*
 Explains the answer to a key: the JSON object that `hieratic lookup KEY --why --render-as json` prints. A key
 without a value is not an error: found is false. `options` is that of hieratic_lookup.

 Free the result with hieratic_string_free. NULL means failure: then `*error` is an error to free, unless `error` is
 NULL.

 The caller makes sure:
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

 The caller makes sure:
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

 The caller makes sure:
 `environment` is NULL or not freed; strings are NULL or end with NUL; `error` is NULL or can be written to.
 */
hieratic_node *hieratic_node_open(const hieratic_environment *environment,
                                  const char *name,
                                  const char *facts,
                                  const char *options,
                                  hieratic_error **error);

/*
 Frees a node. NULL is allowed.

 The caller makes sure:
 `node` is NULL, or a node that was not freed and that no other thread uses.
 */
void hieratic_node_free(hieratic_node *node);

/*
 Evaluates code: the value as JSON. Secrets are redacted, unless the option reveal is true.

 `language` is "puppet", "hcl" or "unfurl". `node` is NULL, or the node for lookups in the code. The code of unfurl
 is JSON: a string or an object.

 `options` is NULL or a JSON object: facts (an object, without a node), variables (an object), tree (for unfurl: the
 data of the expression), folder (for unfurl: the folder of relative paths), limits, timeout, reveal, and without a node the
 permissions of hieratic_environment_open.

 Free the result with hieratic_string_free. NULL means failure: then `*error` is an error to free, unless `error` is
 NULL.

 The caller makes sure:
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

 The caller makes sure:
 `node` is NULL or not freed; strings are NULL or end with NUL; `error` is NULL or can be written to.
 */
char *hieratic_render(const hieratic_node *node,
                      const char *language,
                      const char *template_,
                      const char *options,
                      hieratic_error **error);

/*
 The kind of a value; HIERATIC_VALUE_KIND_UNDEF for NULL.

 The caller makes sure:
 `value` is NULL, or a value of this library that was not freed.
 */
hieratic_value_kind hieratic_value_get_kind(const hieratic_value *value);

/*
 1 for the boolean true, 0 for everything else.

 The caller makes sure:
 `value` is NULL, or a value of this library that was not freed.
 */
int32_t hieratic_value_boolean(const hieratic_value *value);

/*
 The integer, or 0 for any other value.

 The caller makes sure:
 `value` is NULL, or a value of this library that was not freed.
 */
int64_t hieratic_value_integer(const hieratic_value *value);

/*
 The number, also of an integer, or 0 for any other value.

 The caller makes sure:
 `value` is NULL, or a value of this library that was not freed.
 */
double hieratic_value_float(const hieratic_value *value);

/*
 The string, in UTF-8 and with a NUL at its end, or NULL for a value that has none. `*length` is set to its length in
 bytes, because the string may contain NUL, unless `length` is NULL. The value owns the string.

 The caller makes sure:
 `value` is NULL, or a value of this library that was not freed; `length` is NULL or can be written to.
 */
const char *hieratic_value_string(const hieratic_value *value,
                                  size_t *length);

/*
 The number of items of an array or of pairs of a hash, 0 for everything else.

 The caller makes sure:
 `value` is NULL, or a value of this library that was not freed.
 */
size_t hieratic_value_length(const hieratic_value *value);

/*
 The item of an array, or the value of a pair of a hash, by its position from 0. NULL if there is none. The value
 owns it.

 The caller makes sure:
 `value` is NULL, or a value of this library that was not freed.
 */
const hieratic_value *hieratic_value_item(const hieratic_value *value,
                                          size_t index);

/*
 The key of a pair of a hash, by its position from 0. NULL if there is none. The value owns it.

 The caller makes sure:
 `value` is NULL, or a value of this library that was not freed.
 */
const hieratic_value *hieratic_value_key(const hieratic_value *value, size_t index);

/*
 The value of a hash for a key that is a string. NULL if there is none. The hash owns it.

 The caller makes sure:
 `value` is NULL, or a value of this library that was not freed; `key` is NULL or ends with NUL.
 */
const hieratic_value *hieratic_value_get(const hieratic_value *value, const char *key);

/*
 Frees a value, with everything in it. NULL is allowed.

 The caller makes sure:
 `value` is NULL, or the result of hieratic_lookup_value that was not freed.
 */
void hieratic_value_free(hieratic_value *value);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* HIERATIC_H */
