/// Completions for bash that the argument parser's script lacks.
enum BashScript {
  /// The script with a beginning that undoes how bash cuts words: `--sort name:desc` comes as four words, and
  /// `--sort=name` as three.
  static func joiningWords(_ script: String) -> String {
    let head = "    local -r cur=\"${2}\"\n    local -r prev=\"${3}\"\n"
    guard let start = script.firstRange(of: head),
      let end = script[start.upperBound...].firstRange(of: "\n}\n")
    else { return script }
    return script[..<start.lowerBound] + joining + script[start.upperBound..<end.lowerBound]
      + trimming + script[end.lowerBound...]
  }

  private static let joining = #"""
        local -ar cut_words=("${COMP_WORDS[@]}")
        local -ir cut_cword="${COMP_CWORD}"
        local COMP_LINE="${COMP_LINE}"
        local -a COMP_WORDS=()
        local -i COMP_CWORD=0 cut_index cut_last
        local cut_word cut_joins=false
        for cut_index in "${!cut_words[@]}"; do
            cut_word="${cut_words[cut_index]}"
            cut_last="$((${#COMP_WORDS[@]} - 1))"
            if [[ "${cut_last}" -gt 0 && "${cut_word}" = '=' && "${COMP_WORDS[cut_last]}" = --* ]]; then
                COMP_LINE="${COMP_LINE/"${COMP_WORDS[cut_last]}="/"${COMP_WORDS[cut_last]} "}"
                [[ "${cut_index}" -eq "${cut_cword}" ]] && COMP_WORDS+=('')
            elif [[ "${cut_last}" -gt 0 && "${cut_word}" = ':' ]]; then
                COMP_WORDS[cut_last]+=:
                cut_joins=true
            elif "${cut_joins}"; then
                COMP_WORDS[cut_last]+="${cut_word}"
                cut_joins=false
            else
                COMP_WORDS+=("${cut_word}")
            fi
            [[ "${cut_index}" -eq "${cut_cword}" ]] && COMP_CWORD="$((${#COMP_WORDS[@]} - 1))"
        done

        local cur="${2}"
        local prev="${3}"
        if [[ "${#COMP_WORDS[@]}" -ne "${#cut_words[@]}" || "${cut_words[cut_cword]}" = '=' ]]; then
            cur="${COMP_WORDS[COMP_CWORD]}"
            prev="${COMP_WORDS[COMP_CWORD - 1]}"
        fi

    """#

  private static let trimming = #"""


        # Bash replaces only what follows the last colon.
        if [[ "${cur}" = *:* && "${COMP_WORDBREAKS}" = *:* ]]; then
            COMPREPLY=("${COMPREPLY[@]#"${cur%"${cur##*:}"}"}")
        fi
    """#
}
