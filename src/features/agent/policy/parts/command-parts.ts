import { isExampleHost, placesOf } from '../addresses.ts'
import { lineAt, type Part, partOf, shown, wordsOfHost } from './text-parts.ts'

const maxLine = 4000
/** Lines that are read together: what one fetches the next may run. */
const maxLines = 40
/** What begins another command within a line: a pipe, a list, a substitution, a prompt, and a quote around a script. */
const between = /[|;&`$(){}"']+|\brun:/
/** What may stand before a program, and says nothing of what it does. */
const before =
  /^(?:\s|(?:sudo|env|exec|time|then|do|RUN)\s|-\S{0,100}\s|[#$>*+]{1,6}\s|[A-Z_]{1,50}=\S{0,100}\s)+/
const fetches =
  /^(?:curl|wget|fetch|aria2c|iwr|irm|invoke-webrequest|invoke-restmethod)\s|\bdownloadstring\b/i
/** Programs that run a file or what they read. */
const runs =
  /^(?:\.{0,2}\/|(?:ba|z|da|k|fi|tc)?sh\b|python|node\b|deno\b|bun\b|perl\b|ruby\b|php\b|pwsh\b|powershell\b|iex\b|invoke-expression\b|source\s|eval\b|\.\s|chmod\b|make\b|(?:npm|pnpm|yarn|pip3?|cargo|go)\s)/i
/** Programs that install or run what an address leads to. */
const installs =
  /^(?:npx|npm|pnpm|yarn|bunx?|uvx?|pipx?[\d.]*|cargo|gem|brew|go|helm|kubectl|docker|podman|deno|apt|apt-key|add-apt-repository|rpm|dnf|yum|terraform|conda|nix|mshta|certutil|regsvr32|rundll32|bitsadmin|msiexec|nc|ncat|socat)\s/i
/** A line of code, markup or settings that names where programs come from, or a program that connects as it says. */
const loads =
  /<script\b[^>]{0,2000}\bsrc\s{0,20}=|^\s*(?:deb|registry|index-url|extra-index-url)[\s=]|\bimport\b.{0,2000}["'](?=https?:)|\bimportScripts\s{0,20}\(|\b(?:python|node|perl|ruby|php|osascript)\d?(?:\.\d{1,5})?\s{1,20}-[cer]\s/i
/** What is sent from the reader's files. */
const sends =
  /\b(?:curl|wget)\b.{0,2000}(?:\s(?:-d|-F|-T|--data\S{0,50}|--form|--upload-file|--post-file)[\s=]?["']?(?:\w{1,50}=)?@)/i
/** What is run without anybody having read it. */
const encoded =
  /\bbase64\s{1,20}(?:-d|-D|--decode)\b.{0,2000}\|\s{0,20}(?:sudo\s{1,20})?(?:\w{0,10}sh|python\d?|perl|node)\b|\bpowershell\b.{0,2000}\s-e(?:nc\w{0,30})?\s/i
const address = /(?:^|[\s=@+("'])(?:[a-z][a-z\d+.-]{0,20}:)?\/\/([^\s"'`<>|;)]{1,1000})/gi
/** An address without a scheme, as `curl` and `docker` take it. */
const bareAddress = /(?:^|\s)((?:[a-z\d-]{1,63}\.){1,10}[a-z]{2,20}(?::\d{1,5})?\/[^\s"'`<>|;)]{0,1000})/gi
/** A host alone, which only what fetches or connects takes for an address. */
const bareHost = /(?:^|\s)((?:[a-z\d-]{1,63}\.){1,10}[a-z]{2,20})(?=\s|$)/gi
const shorthand = /(?:^|\s)(github|gitlab|bitbucket):([\w.-]{1,100})\//gi
const option = /\s(?:-o|-O|-OutFile|--output)[\s=]?("[^"]*"|'[^']*'|\S*)/gi

/**
 * Commands that fetch something from a host and run it, or send it what the reader has, wherever they stand: readers copy
 * them and agents follow them. They are nothing new where the base names the host.
 */
export function commandParts(text: string): Part[] {
  const parts: Part[] = []
  // A backslash goes on in the next line.
  const joined = text.replaceAll(/[\\^]\r?\n/g, (end) => ' '.repeat(end.length))
  let at = 0
  let block: string[] = []
  for (const whole of joined.split('\n')) {
    const start = at
    at += whole.length + 1
    const line = whole.slice(0, maxLine)
    if (/^\s*(?:$|`{3}|~{3})/.test(line)) block = []
    if (encoded.test(line))
      parts.push(partOf('command', 'a command that runs what nobody can read', line, lineAt(text, start)))
    for (const place of placesThatRun(line, block.slice(-maxLines)))
      parts.push({
        key: `host ${place}`,
        line: lineAt(text, start),
        what: `a command that fetches something from ${place} and runs it, or sends something there, a host that the site does not name: ${shown(line)}`,
        approval: { kind: 'part', value: `command ${place}` },
        words: wordsOfHost(place),
      })
    if (block.at(-1) !== line) block.push(line)
  }
  return parts
}

function placesThatRun(line: string, block: readonly string[]): Set<string> {
  const commands = commandsOf(line)
  const places: string[] = []
  const isRun = commands.some((command) => runs.test(command))
  if (isRun && commands.some((command) => fetches.test(command) || /^git\s+clone\s/.test(command))) {
    const direct = commands.flatMap((command) => placesNamed(command, fetches.test(command)))
    places.push(...(direct.length > 0 ? direct : variablesOf(line, block)))
  } else if (isRun) places.push(...fetchedBefore(line, block))
  places.push(
    ...commands
      .filter((command) => installs.test(command))
      .flatMap((one) => placesNamed(one, /^(?:nc|ncat)\s/.test(one))),
  )
  if (loads.test(line) || sends.test(line)) places.push(...placesNamed(line, false))
  return new Set(places.filter((place) => !isExampleHost(place.split('/', 1)[0] ?? '')))
}

function commandsOf(line: string): string[] {
  return line.split(between).map((piece) => piece.replace(before, ''))
}

/** What a line before has stored under a name, or put into a folder, that this one runs. */
function fetchedBefore(line: string, block: readonly string[]): string[] {
  return block.flatMap((one) => {
    const fetching = commandsOf(one).filter((command) => fetches.test(command))
    if (fetching.length === 0) {
      const isCloned =
        /(?:^|\s)git\s+clone\s/.test(one) && /^\s*(?:[#$>]\s)?(?:\.\/|make\b|(?:ba)?sh\s)/.test(line)
      return isCloned ? placesNamed(one, false) : []
    }
    const names = [...one.matchAll(option)].map(([, name = '']) => name)
    names.push(...[...one.matchAll(/>\s*(\S+)/g)].map(([, name = '']) => name))
    names.push(
      /\/([^/\s"'?#]+)(?=["'\s?#]|$)/.exec(one.slice(Math.max(0, one.lastIndexOf('://') + 3)))?.[1] ?? '',
    )
    const files = names
      .map((name) => name.replaceAll(/["']/g, '').replace(/^.*\//, ''))
      .filter((name) => name.length > 1)
    return files.some((name) => line.includes(name))
      ? fetching.flatMap((command) => placesNamed(command, true)).concat(placesNamed(one, false))
      : []
  })
}

/** The addresses that lines before give to the variables of this one. */
function variablesOf(line: string, block: readonly string[]): string[] {
  const names = [...line.matchAll(/[$%]\{?(\w{1,60})/g)].map(([, name = '']) => name)
  const assigning = block.filter((one) => names.some((name) => new RegExp(`\\b${name}\\s{0,20}=`).test(one)))
  return assigning.flatMap((one) => placesNamed(one, false))
}

function placesNamed(text: string, isHostEnough: boolean): string[] {
  const named = [...text.matchAll(address), ...text.matchAll(bareAddress)]
  const plain = text.replaceAll(option, ' ')
  const alone = isHostEnough && named.length === 0 ? [...plain.matchAll(bareHost)] : []
  return [
    ...[...named, ...alone].flatMap(([, target = '']) => placesOf(`https://${target}`)),
    ...[...text.matchAll(shorthand)].flatMap(([, host = '', owner = '']) =>
      placesOf(`https://${host}.com/${owner}/`),
    ),
  ]
}
