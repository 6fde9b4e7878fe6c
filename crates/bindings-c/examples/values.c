/* Reads a value part by part: values FOLDER NODE KEY. */
#include <hieratic.h>
#include <inttypes.h>
#include <stdio.h>

static void print(const hieratic_value *value, int depth) {
    size_t length = 0;
    const char *text = hieratic_value_string(value, &length);
    switch (hieratic_value_get_kind(value)) {
    case HIERATIC_VALUE_KIND_UNDEF:
        puts("undef");
        break;
    case HIERATIC_VALUE_KIND_BOOLEAN:
        puts(hieratic_value_boolean(value) ? "true" : "false");
        break;
    case HIERATIC_VALUE_KIND_INTEGER:
        printf("%" PRId64 "\n", hieratic_value_integer(value));
        break;
    case HIERATIC_VALUE_KIND_FLOAT:
        printf("%g\n", hieratic_value_float(value));
        break;
    case HIERATIC_VALUE_KIND_STRING:
    case HIERATIC_VALUE_KIND_OTHER:
        fwrite(text, 1, length, stdout);
        putchar('\n');
        break;
    case HIERATIC_VALUE_KIND_ARRAY:
    case HIERATIC_VALUE_KIND_HASH:
        putchar('\n');
        for (size_t index = 0; index < hieratic_value_length(value); index++) {
            const char *key = hieratic_value_string(hieratic_value_key(value, index), NULL);
            printf("%*s%s ", 2 * depth, "", key == NULL ? "-" : key);
            print(hieratic_value_item(value, index), depth + 1);
        }
        break;
    }
}

int main(int count, char **arguments) {
    if (count != 4) {
        fputs("usage: values FOLDER NODE KEY\n", stderr);
        return 2;
    }
    hieratic_error *error = NULL;
    hieratic_environment *environment = hieratic_environment_open(arguments[1], "{\"timeout\": 10}", &error);
    hieratic_node *node = environment == NULL ? NULL : hieratic_node_open(environment, arguments[2], NULL, NULL, &error);
    hieratic_value *value = node == NULL ? NULL : hieratic_lookup_value(node, arguments[3], NULL, &error);
    if (value == NULL) {
        fputs(hieratic_error_report(error), stderr);
    } else {
        print(value, 0);
    }
    hieratic_error_free(error);
    hieratic_value_free(value);
    hieratic_node_free(node);
    hieratic_environment_free(environment);
    return value == NULL;
}
