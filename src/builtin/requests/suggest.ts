import { isQuotation, mask, type Masked } from './mask.ts'
import { parseRequests } from './parse-request.ts'

const mostSuggestions = 3
const longest = { text: 80, suggestion: 200 }

/**
 * Requests that a person who was not understood may have meant, made of the person's own words. None deletes anything,
 * and each is understood.
 */
export function suggestRequests(said: string): string[] {
  // A longer text was not written as a request.
  const masked = mask(said.slice(0, 2000))
  const text = masked.text.replaceAll(/\s+/gu, ' ').trim().slice(0, 400)
  if (/\b(?:don['’]?t|do not|never|not yet|unless|except|if)\b/i.test(text)) return []
  const placed = text.replace(
    /^((?:in|on) (?:\p{Co}|[^\s,]+[/.][^\s,]*|the [^,]{1,40}? page)),? (.+)$/iu,
    '$2 $1',
  )
  const meant = [asSaid(placed, masked), ...readings.flatMap((reading) => suggest(reading, placed, masked))]
  return [...new Set(meant)].filter(isUnderstood).slice(0, mostSuggestions)
}

/** The prompt without what stands before its verb and behind its first sentence. */
function asSaid(text: string, masked: Masked): string {
  const [words = ''] =
    /\b(?:replace|change|use|update|bump|fix|move|rename|set|add)\b[^]*?(?=[.!?](?: |$)|,? (?:please|thanks)\b|$)/iu.exec(
      text,
    ) ?? []
  return masked.restore(words.charAt(0).toUpperCase() + words.slice(1))
}

/** A choice has its note behind a colon, so that no suggestion may hold one. */
function isUnderstood(suggestion: string): boolean {
  const isSafe = parseRequests(suggestion).every(({ kind }) => kind !== 'unknown' && kind !== 'delete')
  return isSafe && !suggestion.includes(': ') && suggestion.length <= longest.suggestion
}

type Values = Readonly<Record<'from' | 'to' | 'name', string>>

interface Reading {
  form: RegExp
  request: (values: Values) => string
}

function suggest({ form, request }: Reading, text: string, masked: Masked): string[] {
  const match = form.exec(text)
  if (match === null) return []
  const { where = '', ...groups } = match.groups ?? {}
  const value = (name: string) => bare(groups[name] ?? '', masked)
  const values = { from: value('from'), to: value('to'), name: value('name') }
  const isSayable = Object.values(values).every((one) => one.length <= longest.text && !/["\\]/.test(one))
  if (/\b(?:from|to|with)\b/i.test(groups['from'] ?? '')) return []
  const isWhole = Object.keys(groups).every((name) => groups[name] === undefined || value(name) !== '')
  if (!isSayable || !isWhole) return []
  return placesIn(where, masked).map((place) => request(values) + place)
}

function bare(words: string, masked: Masked): string {
  if (isQuotation(words)) return masked.valueOf(words)
  const name = words.trim().replace(/^(?:the|our|your|an?|all|every) |[.,!?;:]$/giu, '')
  return masked.valueOf(
    name.replace(/^(?:(?:mentions|occurrences|uses|typo|spelling) of|typo|product|name|word) /i, ''),
  )
}

const kindOfText = /^(?:all |the )*(?:headings|titles|tables|code|examples|images|comments|text)\b/i

/** The place that was named, so that no suggestion changes more than that; "the guides" may be a page or a folder. */
function placesIn(words: string, masked: Masked): string[] {
  const said = words.trim().replace(/^(?:in|on|across|throughout) |[.,!?;:]$/gi, '')
  if (/^(?:|everywhere|(?:(?:all|the|our|whole) )*(?:docs|documentation|pages|site))$/i.test(said))
    return ['']
  if (/^(?:all )?links$/i.test(said)) return [' in all links']
  if (kindOfText.test(said)) return []
  const place = masked.restore(said)
  if (/^\S*[/.]\S*$/.test(place)) return [` in ${place}`]
  const name = place.replaceAll(/^(?:the|our) (?:page )?|["“”]| (?:page|guide|docs)$/gi, '')
  return [
    ...(/^[\w-]+$/.test(name) && !/ page$/i.test(place) ? [` in ${name}/`] : []),
    ` in the page "${name}"`,
  ]
}

const replacing = ({ from, to }: Values): string => `Replace "${from}" with "${to}"`
const updating = ({ name, from, to }: Values): string => `Update ${name}${from && ` from ${from}`} to ${to}`

/** Ways to say what is to be done, or what has happened, that are no request. A name has at most four words. */
const readings: readonly Reading[] = [
  {
    form: /\b(?<name>[\w.+#-]+) (?:went |was updated |moved )?from v?(?<from>\d[\w.]*) to v?(?<to>\d[\w.]*)/iu,
    request: updating,
  },
  {
    form: /\b(?:released?|shipped|published|upgrade|update|new) (?<name>[\w.+#-]*[a-z][\w.+#-]*)(?: version)?(?: to)? v?(?<to>\d+\.[\w.]*\w)/iu,
    request: updating,
  },
  {
    form: /\b(?<name>[\w.+#-]*[a-z][\w.+#-]*) v?(?<to>\d+\.[\w.]*\w) (?:is|was) (?:out|released)/iu,
    request: updating,
  },
  {
    form: /\brename (?:the )?(?:page (?<from>\S+(?: \S+){0,3}?)|(?<name>\S+(?: \S+){0,3}?) page) to (?<to>\S+(?: \S+){0,3}?)[.!?]?$/iu,
    request: ({ from, name, to }) => `Rename the page "${from || name}" to "${to}"`,
  },
  {
    form: /\brename (?<from>\S+\.(?:mdx?|rst|adoc)) to (?<to>\S+\.(?:mdx?|rst|adoc))/iu,
    request: ({ from, to }) => `Move ${from} to ${to}`,
  },
  {
    form: /\b(?:replace|change|swap|convert|renam(?:ed|e|ing)) (?!(?:the )?page |.* page )(?<from>\S+(?: \S+){0,3}?) (?:with|by|for|to|into|as) (?<to>\S+(?: \S+){0,3}?)(?=$|[.,!?;]|(?<where> (?:in|on|across|throughout) .+)| (?:everywhere|for|last|today|now)\b)/iu,
    request: replacing,
  },
  {
    form: /\brename (?!.*\bpage\b)(?<from>\S+(?: \S+){0,3}?) to (?<to>[^\s.]+(?: [^\s.]+){0,3}?)[.!?]?$/iu,
    request: ({ from, to }) => `Rename the page "${from}" to "${to}"`,
  },
  {
    form: /(?:^|[.,;:] |that |typo )(?<from>\S+(?: \S+){0,3}?) (?:(?:is|was|are|has been)(?: now)? (?:called|named|renamed to|rebranded to|replaced (?:by|with))|(?:should|must) (?:be|read|say)) (?<to>\S+(?: \S+){0,3}?)(?=$|[.,!?;]| (?:everywhere|now)\b)/iu,
    request: replacing,
  },
  {
    form: /\b(?:say|write|use|prefer) (?<to>\S+(?: \S+){0,3}?),? (?:instead of|rather than|not|over) (?<from>\S+(?: \S+){0,3}?)(?=$|[.,!?;]|(?<where> in .+))/iu,
    request: replacing,
  },
  { form: /(?<from>\S+) ?(?:->|=>|→) ?(?<to>\S+)/iu, request: replacing },
  {
    form: /\b(?:add|create|write|make) (?:an? )?(?:new )?page (?:about|for|on) (?:the |our )?(?<name>\S+(?: \S+){0,3})$/iu,
    request: ({ name }) => `Add a page about ${name}`,
  },
  {
    form: /\b(?:broken|dead|404|fix)\b.{0,40}\blinks?\b(?<where> (?:in|on) .+)?/iu,
    request: () => 'Fix broken links',
  },
  { form: /\blinks?\b.{0,40}\b(?:broken|dead|404|work)\b/iu, request: () => 'Fix broken links' },
  {
    form: /\b(?:typos?|misspell\w*|spelling|misspelt)\b(?! of)(?<where> (?:in|on) [^,;]+)?/iu,
    request: () => 'Fix the typos',
  },
  {
    form: /\b(?:missing|lack\w*|no|add)\b.{0,40}\bdescriptions?\b(?<where> (?:in|on) .+)?|\bdescriptions?\b.{0,40}\bmissing\b/iu,
    request: () => 'Add missing descriptions',
  },
  {
    form: /\b(?:missing|lack\w*|no|needs)\b.{0,40}\btitles?\b(?<where> (?:in|on) .+)?/iu,
    request: () => 'Add missing titles',
  },
]
