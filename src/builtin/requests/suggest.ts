import { mask } from './mask.ts'
import { parseRequests } from './parse-request.ts'

const mostSuggestions = 3

/**
 * Requests that a person who was not understood may have meant, made of the person's own words. None deletes anything,
 * and each is understood.
 */
export function suggestRequests(said: string): string[] {
  // A longer text was not written as a request.
  const masked = mask(said.slice(0, 2000))
  const text = masked.text.replaceAll(/\s+/g, ' ').slice(0, 400)
  const meant = readings.flatMap(({ form, request }) => {
    const match = form.exec(text)
    if (match === null) return []
    const values = Object.fromEntries(
      Object.entries(match.groups ?? {}).map(([name, value]) => [name, bare(masked.valueOf(value))]),
    )
    return Object.values(values).some((value) => value === '' || value.length > 80) ? [] : request(values)
  })
  return [...new Set(meant)].filter(isUnderstood).slice(0, mostSuggestions)
}

/** A choice has its note behind a colon, so that no suggestion may hold one. */
function isUnderstood(suggestion: string): boolean {
  const [request, ...others] = parseRequests(suggestion)
  const isSafe = request !== undefined && request.kind !== 'unknown' && request.kind !== 'delete'
  return isSafe && others.length === 0 && !suggestion.includes(': ') && suggestion.length <= 200
}

function bare(value: string): string {
  return value
    .trim()
    .replace(/^(?:(?:fix|correct) )?(?:the |a )?(?:typo|spelling of):? /i, '')
    .replace(/^(?:the|our|your|a|an) /i, '')
    .replace(/[.,!?;]$/, '')
}

type Values = Readonly<Record<string, string>>

function replacing({ from = '', to = '' }: Values): string[] {
  return /["\\]/.test(from + to) ? [] : [`Replace "${from}" with "${to}"`]
}

function updating({ product = '', from, to = '' }: Values): string[] {
  return [`Update ${product} ${from === undefined ? '' : `from ${from} `}to ${to}`]
}

interface Reading {
  form: RegExp
  request: (values: Values) => string[]
}

/** A name: one to four words, or a quotation. */
const name = (of: string): string => String.raw`(?<${of}>\S+(?: \S+){0,3}?)`
const end = String.raw`(?=$|[.,!?;]?(?: (?:(?:in|on|across) (?:the|all|our|every|links?)|everywhere|now|today|last|and|so|please|since|but|because)\b|$)|[.,;!?] )`
const form = (...parts: string[]): RegExp => new RegExp(parts.join(''), 'iu')

const readings: readonly Reading[] = [
  {
    form: form(
      String.raw`\b(?<product>[\w.+#-]+) (?:went |was updated |is updated |moved |goes )?from v?(?<from>\d[\w.]*) to v?(?<to>\d[\w.]*)`,
    ),
    request: updating,
  },
  {
    form: form(
      String.raw`\b(?:released?|shipped?|publish(?:ed)?|launched|new) (?:version of )?(?<product>[\w.+#-]*[a-z][\w.+#-]*) (?:version )?v?(?<to>\d+\.[\w.]*\w)`,
    ),
    request: updating,
  },
  {
    form: form(
      String.raw`\b(?<product>[\w.+#-]*[a-z][\w.+#-]*) (?:version )?v?(?<to>\d+\.[\w.]*\w) (?:is|was|has been) (?:out|released|available|here|live)`,
    ),
    request: updating,
  },
  {
    form: form(String.raw`\brenam(?:ed|e|ing) `, name('from'), String.raw` (?:to|into|as) `, name('to'), end),
    request: replacing,
  },
  {
    form: form(
      `(?:^|[.,;] |that )`,
      name('from'),
      String.raw` (?:is now|are now|is|was|has been|have been|got|will be) (?:now )?(?:called|named|renamed(?: to| as)?|rebranded(?: to| as)?|known as|replaced (?:by|with)) `,
      name('to'),
      end,
    ),
    request: replacing,
  },
  {
    form: form(
      String.raw`(?:^|[.,;:] |that |typo )`,
      name('from'),
      String.raw`:? (?:should|must) (?:be|read|say) `,
      name('to'),
      end,
    ),
    request: replacing,
  },
  {
    form: form(
      `(?:^|[.,;] |that )`,
      name('from'),
      String.raw` (?:is|are) now (?!called|named|known)`,
      name('to'),
      end,
    ),
    request: replacing,
  },
  {
    form: form(
      String.raw`\b(?:say|write|use|prefer|call it) `,
      name('to'),
      String.raw`,? (?:instead of|rather than|not|and not|over) `,
      name('from'),
      end,
    ),
    request: replacing,
  },
  { form: form(name('from'), String.raw` ?(?:->|=>|→) ?`, name('to'), end), request: replacing },
  {
    form: /\b(?:broken|dead|404|rotten|stale)\b.{0,40}\blinks?\b|\blinks?\b.{0,40}\b(?:broken|dead|404|work|rotten)/iu,
    request: () => ['Fix broken links'],
  },
  { form: /\b(?:typos?|misspell\w*|spelling|misspelt)\b/iu, request: () => ['Fix the typos'] },
  {
    form: /\bdescriptions?\b.{0,40}\b(?:missing|lack\w*|absent|empty)\b|\b(?:missing|lack\w*|no)\b.{0,40}\bdescriptions?\b/iu,
    request: () => ['Add missing descriptions'],
  },
]
