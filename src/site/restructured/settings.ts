export type PlainValue = string | number | boolean | null

/** What `conf.py` says of pages in reStructuredText, read as data. */
export interface RestructuredSettings {
  /** Before and behind each page. */
  around: readonly string[]
  /** Texts of `|version|` and the like. */
  values: ReadonlyMap<string, string>
  /** Roles for links to another site: what they lead to and show, with `%s` for their text. */
  links: ReadonlyMap<string, { address: string; shown: string | undefined }>
  /** Titles are labels. */
  hasTitleLabels: boolean
  defaultRole: string | undefined
  /** What the configuration sets to a plain value, by which pages are conditional. */
  config: ReadonlyMap<string, PlainValue>
  /** It is made by code, also of other modules, so that it may define substitutions that are not known here. */
  isPartial: boolean
}

const maxText = 50_000

export function restructuredSettings(python: string): RestructuredSettings {
  const text = (name: string) => pythonString(python, name)
  const values = new Map<string, string>()
  const [release, version] = [text('release'), text('version')]
  const around = ['rst_prolog', 'rst_epilog'].map((name) => [name, text(name)] as const)
  if (version ?? release) values.set('version', version ?? release ?? '')
  if (release ?? version) values.set('release', release ?? version ?? '')
  return {
    around: around.flatMap(([, one]) => one ?? []),
    values,
    links: extlinks(python),
    hasTitleLabels: python.includes('autosectionlabel'),
    defaultRole: text('default_role'),
    config: plainValues(python),
    isPartial:
      importsAll(python) ||
      around.some(([name, one]) =>
        one === undefined ? python.includes(name) : python.includes(`${name} +=`),
      ),
  }
}

/** Whether a configuration takes all of another module, whose settings are not read. */
export function importsAll(python: string): boolean {
  return /^from[ \t]{1,9}[\w.]{1,200}[ \t]{1,9}import[ \t]{1,9}\*/m.test(python)
}

const textOpens = /^[ \t]{0,20}=[ \t]{0,20}(?:[(][ \t\n]{0,40})?[rR]?("""|'''|"|')/

/** A text that stands in Python as it is, also in three quotes. */
function pythonString(python: string, name: string): string | undefined {
  for (let at = python.indexOf(name); at !== -1; at = python.indexOf(name, at + 1)) {
    if (at > 0 && python[at - 1] !== '\n') continue
    const from = at + name.length
    const [whole, quote] = textOpens.exec(python.slice(from, from + 120)) ?? []
    if (whole === undefined || quote === undefined) continue
    const start = from + whole.length
    const end = python.indexOf(quote, start)
    if (end === -1 || end - start > maxText) return undefined
    const value = python.slice(start, end)
    return quote.length === 1 && value.includes('\n') ? undefined : value
  }
  return undefined
}

const setting =
  /^(\w{1,60})[ \t]{0,20}=[ \t]{0,20}(True|False|None|-?\d{1,15}|"[^"\n\\]{0,200}"|'[^'\n\\]{0,200}')[ \t]{0,9}(?:#[^\n]*)?$/gm
const defaultValue =
  /add_config_value\(\s{0,9}["'](\w{1,60})["'],\s{0,9}(True|False|None|-?\d{1,15}|"[^"\n\\]{0,200}"|'[^'\n\\]{0,200}')\s{0,9},/g

/** Settings that stand there as they are, and what a configuration says they are without one. */
function plainValues(python: string): Map<string, PlainValue> {
  const values = new Map<string, PlainValue>()
  for (const form of [defaultValue, setting])
    for (const [, name = '', value = ''] of python.slice(0, 500_000).matchAll(form))
      values.set(name, plainValue(value))
  return values
}

/** A value of Python. */
export function plainValue(written: string): PlainValue {
  if (/^["']/.test(written)) return written.slice(1, -1)
  return written === 'None' ? null : /^(?:True|False)$/.test(written) ? written === 'True' : Number(written)
}

/** `extlinks = {"issue": ("https://…/%s", "#%s")}` */
function extlinks(python: string): RestructuredSettings['links'] {
  const links = new Map<string, { address: string; shown: string | undefined }>()
  const start = /^extlinks\s{0,20}=\s{0,20}\{/m.exec(python)
  if (start === null) return links
  const body = python.slice(start.index, start.index + 10_000)
  const entry =
    /["']([\w-]{1,60})["']\s{0,20}:\s{0,20}\(\s{0,40}["']([^"'\n]{1,500})["']\s{0,20},\s{0,40}(?:["']([^"'\n]{0,200})["']|None)/g
  for (const [, name = '', address = '', shown] of body.matchAll(entry)) links.set(name, { address, shown })
  return links
}

export const noSettings: RestructuredSettings = restructuredSettings('')
