# bash completion for kiln-cache. Needs nothing of the bash-completion package.
# tests/jit_cache/tool/documents_test.cpp holds it to what --help says.

_kiln_cache() {
    local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
    local commands='ls show why stats verify gc rm clear pack unpack doctor help'
    local everywhere='--dir --json --help -h'
    local command='' folder='' i
    for ((i = 1; i < COMP_CWORD; ++i)); do
        case ${COMP_WORDS[i]} in
            --dir) folder=${COMP_WORDS[++i]} ;;
            --sort | --filter | --limit | --max-size | --max-entries) ((++i)) ;;
            -*) ;;
            *) [[ -n $command ]] || command=${COMP_WORDS[i]} ;;
        esac
    done

    COMPREPLY=()
    case $previous in
        --dir)
            mapfile -t COMPREPLY < <(compgen -d -- "$word")
            return
            ;;
        --sort)
            mapfile -t COMPREPLY < <(compgen -W 'used size compile' -- "$word")
            return
            ;;
        --filter | --limit | --max-size | --max-entries) return ;;
    esac

    local options=''
    case $command in
        '') options="--version $commands" ;;
        ls) options='--sort --filter --limit' ;;
        show) options='--source --ptx --sass --facts' ;;
        stats) options='-v --verbose' ;;
        verify) options='--repair' ;;
        gc) options='--dry-run --max-size --max-entries' ;;
        rm | clear) options='--dry-run' ;;
        pack) options='--filter' ;;
        unpack) options='--list --for-all' ;;
        help) options=$commands ;;
    esac
    mapfile -t COMPREPLY < <(compgen -W "$options $everywhere" -- "$word")
    [[ $word != -* ]] || return
    case $command in
        show | why | rm)
            # The keys, as the first column of ls has them.
            local tool=("${COMP_WORDS[0]}")
            [[ -z $folder ]] || tool+=(--dir "$folder")
            mapfile -t COMPREPLY < <(compgen -W "$("${tool[@]}" ls 2>/dev/null | sed '1d; s/ .*//')" -- "$word")
            ;;
        pack | unpack) mapfile -t COMPREPLY < <(compgen -f -- "$word") ;;
    esac
}
complete -F _kiln_cache kiln-cache
