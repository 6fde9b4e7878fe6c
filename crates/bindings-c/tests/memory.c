/* What the header says about memory and threads, exercised. test.sh runs it plain, under AddressSanitizer and under valgrind.
 *
 *     memory FOLDER          all of it: exit status 0
 *     memory FOLDER forget   forgets to free a text, which a leak checker must report
 *     memory FOLDER twice    frees a text twice, which a checker must report
 */
#include <hieratic.h>

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                                                                                   \
    do {                                                                                                                                   \
        if (!(condition)) {                                                                                                                \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                                                                \
            exit(1);                                                                                                                       \
        }                                                                                                                                  \
    } while (0)

static hieratic_environment *opened(const char *folder) {
    hieratic_error *error = NULL;
    hieratic_environment *environment = hieratic_environment_open(folder, NULL, &error);
    if (environment == NULL) {
        fprintf(stderr, "%s", hieratic_error_report(error));
        exit(1);
    }
    CHECK(error == NULL);
    return environment;
}

static hieratic_node *node_of(const hieratic_environment *environment, const char *name) {
    hieratic_error *error = NULL;
    hieratic_node *node = hieratic_node_open(environment, name, "{\"role\": \"web\"}", NULL, &error);
    CHECK(node != NULL && error == NULL);
    return node;
}

/* Compares a text that the library has given, and frees it. */
static void is(char *text, const char *expected) {
    CHECK(text != NULL);
    if (strcmp(text, expected) != 0) {
        fprintf(stderr, "expected %s\n     got %s\n", expected, text);
        exit(1);
    }
    hieratic_string_free(text);
}

/* Expects an error of a kind, and frees it. */
static void failed(const void *result, hieratic_error **error, hieratic_error_kind kind) {
    CHECK(result == NULL && *error != NULL);
    if (hieratic_error_get_kind(*error) != kind) {
        fprintf(stderr, "another kind than %d: %s", (int)kind, hieratic_error_report(*error));
        exit(1);
    }
    CHECK(strlen(hieratic_error_message(*error)) > 0 && strlen(hieratic_error_report(*error)) > 0);
    hieratic_error_free(*error);
    *error = NULL;
}

/* NULL may be freed, and asked what it says. */
static void null_is_nothing(void) {
    hieratic_environment_free(NULL);
    hieratic_node_free(NULL);
    hieratic_string_free(NULL);
    hieratic_error_free(NULL);
    CHECK(hieratic_error_code(NULL) == NULL && hieratic_error_message(NULL) == NULL);
    CHECK(hieratic_error_file(NULL) == NULL && hieratic_error_help(NULL) == NULL && hieratic_error_report(NULL) == NULL);
    CHECK(hieratic_error_line(NULL) == 0 && hieratic_error_column(NULL) == 0);
}

/* NULL and bytes that are no UTF-8 are errors of every function that needs a text or a handle. */
static void bad_arguments(const hieratic_environment *environment, const hieratic_node *node) {
    const char *bad = "\xff";
    const hieratic_error_kind kind = HIERATIC_ERROR_KIND_ARGUMENT;
    hieratic_error *error = NULL;
    failed(hieratic_environment_open(NULL, NULL, &error), &error, kind);
    failed(hieratic_environment_open(bad, NULL, &error), &error, kind);
    failed(hieratic_environment_open(".", bad, &error), &error, kind);
    failed(hieratic_environment_open(".", "{\"no\": 1}", &error), &error, kind);
    failed(hieratic_node_open(NULL, "n", NULL, NULL, &error), &error, kind);
    failed(hieratic_node_open(environment, bad, NULL, NULL, &error), &error, kind);
    failed(hieratic_node_open(environment, "n", "[]", NULL, &error), &error, kind);
    failed(hieratic_node_open(environment, "n", "{", NULL, &error), &error, kind);
    failed(hieratic_lookup(NULL, "k", NULL, &error), &error, kind);
    failed(hieratic_lookup(node, NULL, NULL, &error), &error, kind);
    failed(hieratic_lookup(node, bad, NULL, &error), &error, kind);
    failed(hieratic_lookup(node, "k", "{\"merge\": \"no\"}", &error), &error, kind);
    failed(hieratic_lookup_all(NULL, NULL, &error), &error, kind);
    failed(hieratic_keys(NULL, &error), &error, kind);
    failed(hieratic_why(NULL, "k", NULL, &error), &error, kind);
    failed(hieratic_origins(node, NULL, NULL, &error), &error, kind);
    failed(hieratic_eval(NULL, "basic", "1", NULL, &error), &error, kind);
    failed(hieratic_eval(NULL, "puppet", NULL, NULL, &error), &error, kind);
    failed(hieratic_render(NULL, NULL, "x", NULL, &error), &error, kind);
    failed(hieratic_expand(NULL, NULL, &error), &error, kind);
    failed(hieratic_restore("a: 1", NULL, NULL, &error), &error, kind);
    failed(hieratic_hcl_to_json(bad, NULL, &error), &error, kind);
    failed(hieratic_job(NULL, NULL, NULL, &error), &error, kind);
    /* Without a place for the error nothing is left over. */
    CHECK(hieratic_lookup(node, NULL, NULL, NULL) == NULL);
    CHECK(hieratic_lookup(node, "no::such::key", NULL, NULL) == NULL);
}

/* A handle is used as often as one likes, and nodes outlive their environment. */
static void handles(const char *folder) {
    hieratic_error *error = NULL;
    hieratic_environment *environment = opened(folder);
    hieratic_node *first = node_of(environment, "web01.example.com");
    hieratic_node *second = node_of(environment, "web02.example.com");
    bad_arguments(environment, first);
    hieratic_environment_free(environment);
    for (int turn = 0; turn < 3; turn++) {
        is(hieratic_lookup(first, "profile::web::port", NULL, &error), "8080");
    }
    hieratic_node_free(first);
    is(hieratic_lookup(second, "profile::base::packages", "{\"merge\": \"first\"}", &error), "[\"nginx\"]");
    is(hieratic_lookup(second, "no::such::key", "{\"default\": null}", &error), "null");
    failed(hieratic_lookup(second, "no::such::key", NULL, &error), &error, HIERATIC_ERROR_KIND_NOT_FOUND);
    is(hieratic_eval(second, "puppet", "lookup('profile::web::port') + 1", NULL, &error), "81");
    is(hieratic_eval(NULL, "hcl", "[for n in x : n * 2]", "{\"variables\": {\"x\": [1, 2]}}", &error), "[2,4]");
    is(hieratic_eval(NULL, "unfurl", "\"web::port\"", "{\"tree\": {\"web\": {\"port\": 80}}}", &error), "80");
    is(hieratic_render(second, "jinja2", "{{ role }}", NULL, &error), "web");
    is(hieratic_hcl_to_json("a = var.b", NULL, &error), "{\"a\":\"${var.b}\"}");
    is(hieratic_expand("a: {x: 1}\nb:\n  +/a:\n", NULL, &error),
       "{\"data\":{\"a\":{\"x\":1},\"b\":{\"x\":1}},\"directives\":[{\"path\":[\"b\"],\"key\":\"+/a\",\"value\":null}]}");
    is(hieratic_restore("a: {x: 1}\nb:\n  +/a:\n", "{\"a\": {\"x\": 2}, \"b\": {\"x\": 2}}", NULL, &error),
       "a: {x: 2}\nb:\n  +/a:\n");
    CHECK(error == NULL);
    hieratic_node_free(second);
}

/* A call that succeeds sets the error to NULL, and one that fails to a new one: the old one is the caller's. */
static void errors_are_set(const char *folder) {
    hieratic_environment *environment = opened(folder);
    hieratic_node *node = node_of(environment, "web01.example.com");
    hieratic_error *error = NULL;
    CHECK(hieratic_lookup(node, "no::such::key", NULL, &error) == NULL);
    hieratic_error *first = error;
    is(hieratic_lookup(node, "profile::web::port", NULL, &error), "8080");
    CHECK(error == NULL);
    CHECK(hieratic_eval(node, "puppet", "$port = 80\n$port + 'x'", NULL, &error) == NULL);
    CHECK(hieratic_error_line(error) == 2 && hieratic_error_column(error) == 9);
    CHECK(strcmp(hieratic_error_code(first), "key-not-found") == 0);
    /* An error outlives the handles that it came from. */
    hieratic_node_free(node);
    hieratic_environment_free(environment);
    CHECK(strstr(hieratic_error_message(first), "no::such::key") != NULL);
    hieratic_error_free(first);
    hieratic_error_free(error);
}

struct shared {
    const hieratic_environment *environment;
    const hieratic_node *node;
    const hieratic_error *error;
};

static void *ask(void *pointer) {
    const struct shared *shared = pointer;
    hieratic_error *error = NULL;
    for (int turn = 0; turn < 50; turn++) {
        is(hieratic_lookup(shared->node, "profile::web::port", NULL, &error), "8080");
        hieratic_node *own = node_of(shared->environment, "web01.example.com");
        is(hieratic_lookup(own, "profile::web::port", NULL, &error), "8080");
        is(hieratic_eval(own, "puppet", "lookup('profile::web::port') + 1", NULL, &error), "8081");
        hieratic_node_free(own);
        CHECK(strcmp(hieratic_error_code(shared->error), "key-not-found") == 0);
        failed(hieratic_lookup(shared->node, "no::such::key", NULL, &error), &error, HIERATIC_ERROR_KIND_NOT_FOUND);
    }
    /* A text may be freed on another thread than the one that it was given to. */
    return hieratic_lookup(shared->node, "profile::web::port", NULL, &error);
}

/* Threads use one environment, one node and one error at the same time. */
static void many_threads(const char *folder) {
    enum { THREADS = 8 };
    hieratic_environment *environment = opened(folder);
    hieratic_node *node = node_of(environment, "web01.example.com");
    hieratic_error *error = NULL;
    CHECK(hieratic_lookup(node, "no::such::key", NULL, &error) == NULL);
    struct shared shared = {environment, node, error};
    pthread_t threads[THREADS];
    for (int at = 0; at < THREADS; at++) {
        CHECK(pthread_create(&threads[at], NULL, ask, &shared) == 0);
    }
    for (int at = 0; at < THREADS; at++) {
        void *text = NULL;
        CHECK(pthread_join(threads[at], &text) == 0);
        is(text, "8080");
    }
    hieratic_error_free(error);
    hieratic_node_free(node);
    hieratic_environment_free(environment);
}

int main(int count, char **arguments) {
    CHECK(count >= 2);
    const char *folder = arguments[1];
    CHECK(strlen(hieratic_version()) > 0 && hieratic_version() == hieratic_version());
    if (count > 2) {
        char *text = hieratic_eval(NULL, "puppet", "'a text of some length'", NULL, NULL);
        CHECK(text != NULL);
        if (strcmp(arguments[2], "twice") == 0) {
            hieratic_string_free(text);
            hieratic_string_free(text);
        }
        /* The last pointer to it must not survive in a register or on the stack. */
        memset(&text, 0, sizeof text);
        return 0;
    }
    null_is_nothing();
    handles(folder);
    errors_are_set(folder);
    many_threads(folder);
    return 0;
}
