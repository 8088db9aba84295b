import { isExampleHost, placesOf } from '../addresses.ts'
import { lineAt, type Part, shown, wordsOfHost } from './text-parts.ts'

const maxLine = 4000
/** What begins another command within a line: a pipe, a list, a substitution, a prompt, and a quote around a script. */
const between = /[|;&`$(){}"']+|\brun:/
/** What may stand before a program, and says nothing of what it does. */
const before =
  /^(?:\s|(?:sudo|env|exec|time|then|do|RUN)\s|-\S{0,100}\s|[#$>*+]{1,6}\s|[A-Z_]{1,50}=\S{0,100}\s)+/
const fetches =
  /^(?:curl|wget|fetch|aria2c|iwr|irm|invoke-webrequest|invoke-restmethod)\s|\bdownloadstring\b/i
/** Programs that run a file or what they read. */
const runs =
  /^(?:\.{0,2}\/|(?:ba|z|da|k|fi|tc)?sh\b|python|node\b|deno\b|bun\b|perl\b|ruby\b|php\b|pwsh\b|powershell\b|iex\b|invoke-expression\b|source\s|eval\b|\.\s|chmod\b)/i
/** Programs that install or run what an address leads to. */
const installs =
  /^(?:npx|npm|pnpm|yarn|bunx?|uvx?|pipx?[\d.]*|cargo|gem|brew|go|helm|kubectl|docker|podman|deno|apt|apt-key|add-apt-repository|rpm|dnf|yum|terraform|conda)\s/
const address = /(?:^|[\s=@+])(?:[a-z][a-z\d+.-]{0,20}:)?\/\/([^\s"'`<>|;)]{1,1000})/gi
/** An address without a scheme, as `curl` and `docker` take it. */
const bareAddress = /(?:^|\s)((?:[a-z\d-]{1,63}\.){1,10}[a-z]{2,20}(?::\d{1,5})?\/[^\s"'`<>|;)]{0,1000})/gi

/**
 * Commands that fetch something from a host and run it, wherever they stand: readers copy them and agents follow them.
 * They are nothing new where the base names the host.
 */
export function commandParts(text: string): Part[] {
  const parts: Part[] = []
  // A backslash goes on in the next line.
  const joined = text.replaceAll(/[\\^]\r?\n/g, (end) => ' '.repeat(end.length))
  let at = 0
  for (const line of joined.split('\n')) {
    const start = at
    at += line.length + 1
    if (!line.includes('/')) continue
    for (const host of hostsThatRun(line.slice(0, maxLine))) {
      parts.push({
        key: `host ${host}`,
        line: lineAt(text, start),
        what: `a command that fetches something from ${host} and runs it, a host that the site does not name: ${shown(line.slice(0, maxLine))}`,
        approval: { kind: 'part', value: `command ${host}` },
        words: wordsOfHost(host),
      })
    }
  }
  return parts
}

function hostsThatRun(line: string): Set<string> {
  const commands = line.split(between).map((piece) => piece.replace(before, ''))
  const isFetched = commands.some((command) => fetches.test(command))
  const isRun = isFetched && commands.some((command) => runs.test(command))
  const dangerous = isRun ? commands : commands.filter((command) => installs.test(command))
  const places = dangerous.flatMap((command) =>
    [...command.matchAll(address), ...command.matchAll(bareAddress)].flatMap(([, target = '']) =>
      placesOf(`https://${target}`),
    ),
  )
  return new Set(places.filter((place) => !isExampleHost(place.split('/', 1)[0] ?? '')))
}
