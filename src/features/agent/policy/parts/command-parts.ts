import { isExampleHost, placesOf } from '../addresses.ts'
import { lineAt, type Part, partOf, shown, wordsOfHost } from './part.ts'

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
  /^(?:npx|npm|pnpm|yarn|bunx?|uvx?|pipx?[\d.]*|cargo|gem|brew|go|helm|kubectl|docker|podman|deno|apt|apt-key|add-apt-repository|mise|asdf|rpm|dnf|yum|terraform|conda|nix|mshta|certutil|regsvr32|rundll32|bitsadmin|msiexec|nc|ncat|socat)\s/i
/** A line of code, markup or settings that names where programs come from, or a program that connects as it says. */
const loads =
  /<script\b[^>]{0,2000}\bsrc\s{0,20}=|^\s*(?:deb|registry|index-url|extra-index-url)[\s=]|\bimport\b.{0,2000}["'](?=https?:)|\bimportScripts\s{0,20}\(|\b(?:python|node|perl|ruby|php|osascript)\d?(?:\.\d{1,5})?\s{1,20}-[cer]\s/i
/** What is sent from the reader's files. */
const sends =
  /\b(?:curl|wget)\b.{0,2000}(?:\s(?:-d|-F|-T|--data\S{0,50}|--form|--upload-file|--post-file)[\s=]?["']?(?:\w{1,50}=)?@)/i
/** What is run without anybody having read it. */
const encoded =
  /\bbase64\s{1,20}(?:-d|-D|--decode)\b.{0,2000}\|\s{0,20}(?:sudo\s{1,20})?(?:\w{0,10}sh|python\d?|perl|node)\b|\bpowershell\b.{0,2000}\s-e(?:nc\w{0,30})?\s/i
/** Fences whose lines a reader types, and those of them in which a sign of a number is a prompt. */
const shell =
  /^(?:sh|bash|zsh|fish|shell\w*|shell-session|console|terminal|powershell|ps1|pwsh|cmd|bat|batch|cli)$/i
const session = /^(?:console|shell-?session|terminal)$/i
/** Programs that fetch, show or send what an address leads to, and run nothing of it. */
const onlyFetches =
  /^(?:curl|wget|https?|xh|fetch|aria2c|iwr|irm|invoke-\w+|open|start|xdg-open|echo|printf|cat|grep|sed|jq|export|set|setx|alias|read|ping|dig|nslookup|host|openssl|git\s+(?:clone|fetch|pull|push|remote|ls-remote|submodule|commit|tag|checkout|switch))(?=\s|$)/i
/** Programs for which a host alone is where they connect to. */
const connects = /^(?:ssh|scp|sftp|rsync|nc|ncat|socat|telnet|ftp|gpg|finger|dig)\s/
const proxy = /\b(?:https?|all|ftp)_proxy\s{0,9}=/i
/** Settings by which programs and images come from somewhere, as they stand in code. */
const takesFrom =
  /^\s{0,40}FROM\s|(?<!-)\bimage:\s{0,9}["']?(?!["']?https?:)|\bmaven\b|^\s{0,40}source\s{1,9}["']|^\s{0,40}-?\s{0,9}["']?(?:repo|remote)["']?\s{0,9}:\s|\bsource\s{0,9}=\s{0,9}["'](?:git|https?)|\bresolvers\b/i
/** What runs the text that it is given, in code. */
const runsText = /\b(?:exec|eval|execSync|system|popen|source|Function)\s{0,9}\(/
const programsOf = /mcpServers|\[\[source\]\]|\brepositories\s*[{(:]/
const device = /\/dev\/(?:tcp|udp)\/([\w.-]{1,200})\//g
const bucket = /(?:^|\s)(?:s3|gs):\/\/([\w.-]{1,100})/g
/** A repository of GitHub by the name of its owner, as programs take it. */
const ofOwner =
  /\b(?:gh\s{1,9}(?:repo\s{1,9}clone|extension\s{1,9}install)|degit|tiged|copr\s{1,9}enable|brew\s{1,9}(?:tap|install)|(?:npm|pnpm|yarn|bun)\s{1,9}(?:i|add|install))\s{1,9}(?:-\S{1,50}\s{1,9}){0,5}(?!@|\.)([\w-]{1,100})\/[\w.-]/gi
/** Of anybody but the host itself. */
const action = /^\s{0,40}-?\s{0,9}uses:\s{0,9}["']?(?!(?:actions|github)\/)([\w-]{1,100})\/[\w./-]{1,200}@/

const address = /(?:^|[\s=@+("':])(?:[a-z][a-z\d+.-]{0,20}:)?\/\/([^\s"'`<>|;)]{1,1000})/gi
/** An address without a scheme, as `curl` and `docker` take it. */
const bareAddress = /(?:^|\s)((?:[a-z\d-]{1,63}\.){1,10}[a-z]{2,20}(?::\d{1,5})?\/[^\s"'`<>|;)]{0,1000})/gi
/** A host alone, which only what fetches or connects takes for an address. */
const bareHost = /(?:^|[\s@])((?:[a-z\d-]{1,63}\.){1,10}[a-z]{2,20})(?=\s|::?|$)/gi
const shorthand = /(?:^|\s)(github|gitlab|bitbucket|ppa|ubi):([\w.-]{1,100})\//gi
const hostOfShorthand: Readonly<Record<string, string>> = { ppa: 'launchpad.net', ubi: 'github.com' }
/** What is chosen by labels, whose names begin as addresses do. */
const label = /\s(?:-l|--selector)[\s=]["']?[\w.-]{1,100}\/[\w.-]{1,100}(?:[=!]|\s|$)\S{0,200}/g
/** What a program says that something is, at the end of its line. */
const labelled = /\s[A-Z]\w{1,30}:\s{1,40}\S+$/
const keptPlace = /\s["']?(?:~\/\.|\$\{?HOME\}?\/\.|\/(?:etc|usr|bin|lib)\/)/
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
  let fence: string | undefined
  for (const whole of joined.split('\n')) {
    const start = at
    at += whole.length + 1
    const line = whole.slice(0, maxLine)
    if (/^\s*(?:$|`{3}|~{3})/.test(line)) block = []
    const [, marker, info = ''] = /^[\s>*-]*(`{3,}|~{3,})[ \t]*\{?\.?([\w-]{0,40})/.exec(line) ?? []
    if (marker !== undefined) fence = fence === undefined ? info : undefined
    if (encoded.test(line))
      parts.push(partOf('command', 'a command that runs what nobody can read', line, lineAt(text, start)))
    const places = placesThatRun(line, block.slice(-maxLines))
    if (fence !== undefined) for (const place of placesInCode(line, block, fence)) places.add(place)
    for (const place of places)
      parts.push({
        key: `host ${place}`,
        line: lineAt(text, start),
        what: `a command that fetches something from ${place} and runs it, or sends something there, a host that the site does not name: ${shown(line)}`,
        approval: { kind: 'part', value: `command ${place}` },
        words: wordsOfHost(place),
      })
    const [, owner] = fence === undefined ? [] : (action.exec(line) ?? [])
    if (owner !== undefined)
      parts.push({
        key: `host github.com/${owner.toLowerCase()}`,
        line: lineAt(text, start),
        what: `a step that runs a program of ${owner}, whom the site does not name: ${shown(line)}`,
        degree: 'look',
        words: owner,
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
    // The address may stand in a variable.
    const assigned = block.filter((one) => /\w\s{0,20}=/.test(one))
    const direct = commands.flatMap((command) => placesNamed(command, fetches.test(command)))
    places.push(...(direct.length > 0 ? direct : assigned.flatMap((one) => placesNamed(one, false))))
  } else if (isRun) places.push(...fetchedBefore(block))
  places.push(
    ...commands
      .filter((command) => installs.test(command))
      .flatMap((one) => placesNamed(one, /^(?:nc|ncat)\s/.test(one))),
  )
  // A file that a program of the reader takes its settings or keys from.
  places.push(
    ...commands
      .filter((one) => fetches.test(one) && keptPlace.test(one))
      .flatMap((one) => placesNamed(one, true)),
  )
  if (loads.test(line) || sends.test(line)) places.push(...placesNamed(line, sends.test(line)))
  // What is read from any other place and run.
  if (/\|\s*(?:sudo\s+)?(?:\w{0,3}sh|python\d?|node|perl|ruby|(?:apt-key\s+add))\b/.test(line)) {
    places.push(...placesNamed(commands.filter((command) => !runs.test(command)).join(' '), false))
    places.push(
      ...commands.filter((command) => connects.test(command)).flatMap((one) => placesNamed(one, true)),
    )
    places.push(...[...line.matchAll(bucket)].map(([, name = '']) => `${name}.s3.amazonaws.com`))
  }
  places.push(...[...line.matchAll(ofOwner)].map(([, owner = '']) => `github.com/${owner.toLowerCase()}`))
  return new Set(places.filter((place) => !isExampleHost(place.split('/', 1)[0] ?? '')))
}

/** What a line of code names, in a command that does more than to fetch or in a setting that programs come by. */
function placesInCode(line: string, block: readonly string[], language: string): string[] {
  const places = [...line.matchAll(device)].map(([, host = '']) => host)
  if (
    proxy.test(line) ||
    takesFrom.test(line) ||
    runsText.test(line) ||
    block.some((one) => programsOf.test(one)) ||
    programsOf.test(line)
  )
    places.push(...placesNamed(line, false))
  if (runsText.test(line))
    places.push(
      ...block
        .filter((one) => one.includes('(') && /["']https?:/.test(one))
        .flatMap((one) => placesNamed(one, false)),
    )
  const isComment = /^\s*(?:#\s|rem\s|::)/i.test(line) && !session.test(language)
  if (shell.test(language) && !isComment)
    for (const segment of line.split(/\|\|?|&&|;|\$\(|`/)) {
      const command = segment.replace(before, '').replace(labelled, '').trim()
      if (/^[a-z][\w./-]*\s/i.test(command) && !onlyFetches.test(command))
        places.push(...placesNamed(command, connects.test(command)))
    }
  return places.filter((place) => !isExampleHost(place.split('/', 1)[0] ?? ''))
}

function commandsOf(line: string): string[] {
  return line.split(between).map((piece) => piece.replace(before, ''))
}

/** What the lines before have fetched or cloned, of which this one runs something. */
function fetchedBefore(block: readonly string[]): string[] {
  return block.flatMap((one) =>
    commandsOf(one)
      .filter((command) => fetches.test(command) || /^git\s+clone\s/.test(command))
      .flatMap((command) => placesNamed(command, true)),
  )
}

function placesNamed(given: string, isHostEnough: boolean): string[] {
  const text = given.replaceAll(label, ' ')
  const named = [...text.matchAll(address), ...text.matchAll(bareAddress)]
  const plain = text.replaceAll(option, ' ')
  const alone = isHostEnough && named.length === 0 ? [...plain.matchAll(bareHost)] : []
  return [
    ...[...named, ...alone].flatMap(([, target = '']) => placesOf(`https://${target}`)),
    ...[...text.matchAll(shorthand)].flatMap(([, host = '', owner = '']) =>
      placesOf(`https://${hostOfShorthand[host.toLowerCase()] ?? `${host}.com`}/${owner}/`),
    ),
  ]
}
