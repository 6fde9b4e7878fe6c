//! The scripts with which the shells call the command.

/// Bash breaks words at colons and equal signs. The script joins adjacent words again, and inserts only the part of a
/// candidate after the last break.
pub(super) const BASH: &str = r#"_hieratic() {
    local line=${COMP_LINE:0:COMP_POINT} rest word i
    local -a words=()
    for ((i = 0; i <= COMP_CWORD; i++)); do
        rest=${line#"${line%%[![:space:]]*}"}
        word=${COMP_WORDS[i]}
        ((i == COMP_CWORD)) && word=$rest
        if [[ $i -eq 0 || $rest != "$line" ]]; then
            words+=("$word")
        else
            words[${#words[@]}-1]+=$word
        fi
        line=${rest#"$word"}
    done
    local index=$((${#words[@]} - 1))
    local current=${words[index]} prefix='' part char
    for char in : =; do
        # Words are not broken within quotes.
        if [[ $current != [\'\"]* && $COMP_WORDBREAKS == *"$char"* && $current == *"$char"* ]]; then
            part=${current%"${current##*"$char"}"}
            ((${#part} > ${#prefix})) && prefix=$part
        fi
    done
    local candidate
    COMPREPLY=()
    while IFS= read -r candidate; do
        COMPREPLY+=("${candidate#"$prefix"}")
    done < <("${words[0]}" __complete bash "$index" "${words[@]}" 2>/dev/null)
    if ((${#COMPREPLY[@]} == 1)) && [[ ${COMPREPLY[0]} == *[/=] ]]; then
        compopt -o nospace 2>/dev/null
    fi
}
complete -F _hieratic hieratic
"#;

pub(super) const ZSH: &str = r#"#compdef hieratic
_hieratic() {
    local -a lines values shown open opened
    local line value
    lines=("${(@f)$(${(Q)words[1]} __complete zsh $((CURRENT - 1)) "${(@Q)words}" 2>/dev/null)}")
    for line in $lines; do
        value=${line%%$'\t'*}
        line=${line/$'\t'/  -- }
        line=${line[1,$((COLUMNS > 20 ? COLUMNS - 1 : 200))]}
        if [[ $value == *[/=] ]]; then
            open+=("$value")
            opened+=("$line")
        elif [[ -n $value ]]; then
            values+=("$value")
            shown+=("$line")
        fi
    done
    (( $#values )) && compadd -l -d shown -a values
    (( $#open )) && compadd -S '' -d opened -a open
    (( $#values + $#open ))
}
if [ "$funcstack[1]" = "_hieratic" ]; then
    _hieratic "$@"
else
    compdef _hieratic hieratic
fi
"#;

pub(super) const FISH: &str = r#"function __hieratic_complete
    set -l words (commandline --tokenize --cut-at-cursor --current-process)
    set -l current (commandline --current-token --cut-at-cursor)
    $words[1] __complete fish (count $words) $words "$current" 2>/dev/null
end
complete --command hieratic --no-files --arguments '(__hieratic_complete)'
"#;
