/** Expressions that functions compose from what they are given: an example of each, and why its parts cannot harm. */
export const runTime: {
  file: string
  argument: string
  example: { source: string; flags: string }
  why: string
}[] = [
  {
    file: 'web/widget/markdown/colour-code.ts',
    argument:
      '`(?<comment>${comment.source})|(?<string>${string.source})|(?<name>${known.name.source})|(?<number>${numbers.source})|(?<word>[A-Za-z_$][\\\\w$]*)`',
    example: {
      source:
        '(?<comment>(?<![^\\s])#[^\\n]*)|(?<string>"(?:[^"\\\\\\n]|\\\\.)*"?)|(?<name>(?<![\\w.-])[\\w.-]+(?=\\s{0,4}[:=]))|(?<number>\\b(?:0x[\\da-f]+|\\d[\\d_]*(?:\\.\\d+)?)\\b)|(?<word>[A-Za-z_$][\\w$]*)',
      flags: 'gi',
    },
    why: 'Expressions of the same file, each of them judged by itself.',
  },
  {
    file: 'start/config-values.ts',
    argument: '`^${prefix}[0-9A-Za-z]{43,128}$`',
    example: { source: '^svc_[0-9A-Za-z]{43,128}$', flags: '' },
    why: 'Beginnings of our own keys.',
  },
  {
    file: 'api/app.ts',
    argument: '`^${source}$`',
    example: { source: '^/v2/agent/[^/]+/job/[^/]+$', flags: '' },
    why: 'Paths of our own endpoints.',
  },
  {
    file: 'site/checks/check-terms.ts',
    argument: 'pattern',
    example: { source: '(?<![\\p{L}\\p{N}_])(?:Git\\.Hub|hub)(?![\\p{L}\\p{N}_])', flags: 'gu' },
    why: 'Words of a glossary, escaped.',
  },
  {
    file: 'builtin/pages/find-release.ts',
    argument: 'releases',
    example: {
      source: String.raw`(?<!\p{N}|\p{N}\.|[\p{L}_](?<!(?<![\p{L}\p{N}_])v))(?<version>0\.12\.5)(?![\p{L}\p{N}_%]|\.\d|-(?:\d|(?:rc|alpha|beta|dev|pre|next|canary|nightly)(?!\p{L})))|(?<![\p{L}\p{N}])(?:my[\s-]?kit)[\w-]{0,20}[:@/= ]{1,2}v?0\.12(?!\.?[\p{L}\p{N}])`,
      flags: 'giu',
    },
    why: 'The name of a product in a request and its version, escaped.',
  },
  {
    file: 'builtin/pages/find-release.ts',
    argument: 'names',
    example: { source: String.raw`(?<![\p{L}\p{N}])(?:my[\s-]?kit)(?![\p{L}\p{N}])`, flags: 'giu' },
    why: 'The name of a product in a request, escaped.',
  },
  {
    file: 'builtin/pages/find-text.ts',
    argument: 'words.map(escapeWord).join(gap)',
    example: { source: 'old(?:[ \\t\\u00a0]+|[ \\t]*\\n[ \\t>]*)name', flags: 'giu' },
    why: 'Words of a request, escaped.',
  },
  {
    file: 'builtin/pages/find-version.ts',
    argument: 'pattern',
    example: {
      source:
        '(?<![\\p{L}\\p{N}_./-])Node(?:\\.?js)?(@[~^]?v?|[ \\t]?[=~<>!]=[ \\t]?|["\']?[ \\t]?[:=][ \\t]?["\']?[~^]?v?|[*_`]{0,3} (?:version |v)?[*_`]{0,3}v?)(\\d+(?:\\.\\d+){0,3})(?![\\p{L}\\p{N}_%]|[.,]\\d|-(?!alpine|slim)[\\p{L}\\d])',
      flags: 'giu',
    },
    why: 'The name of a product in a request, escaped.',
  },
  {
    file: 'nouns/jobs/pages/new-job/ability-form.ts',
    argument: '`^(?:${pattern})$`',
    example: { source: '^(?:[^\\s][^\\s/.]*[/.][^\\s]*)$', flags: 'u' },
    why: 'Patterns of our own fields.',
  },
  {
    file: 'features/assistant/models/written-calls/find-start.ts',
    argument: '`"(?:functions\\\\.)?${name}"`',
    example: { source: '"(?:functions\\.)?search_docs"', flags: '' },
    why: 'Names of our own tools.',
  },
  {
    file: 'lib/text/text-up-to.ts',
    argument: '`^.{0,${longest}}$`',
    example: { source: '^.{0,2000}$', flags: 'su' },
    why: 'A limit of our own.',
  },
  {
    file: 'site/frameworks/mkdocs/site.ts',
    argument: 'String.raw`\\bj2_${setting}_string:[ \\t]*["\']?([^\\s"\'#]{1,20})`',
    example: { source: '\\bj2_variable_start_string:[ \\t]*["\']?([^\\s"\'#]{1,20})', flags: '' },
    why: 'Names of settings that are listed there.',
  },
  {
    file: 'lib/text/parse-calls.ts',
    argument: '`(?<![\\\\w-])${name}(?![\\\\w-])`',
    example: { source: '(?<![\\w-])search_docs(?![\\w-])', flags: '' },
    why: 'Names of our own tools.',
  },
  {
    file: 'integrations/models/chat/special-tokens.ts',
    argument: "open.replace('<', '</')",
    example: { source: '</think>', flags: 'i' },
    why: 'A tag of word characters, as another expression of the file has found it.',
  },
  {
    file: 'site/frameworks/mkdocs/includes.ts',
    argument: 'String.raw`\\b${key}=["\']([^"\']{1,500})["\']`',
    example: { source: '\\bstart=["\']([^"\']{1,500})["\']', flags: '' },
    why: 'Names of two options that stand in the code.',
  },
  {
    file: 'site/frameworks/mkdocs/markdown.ts',
    argument:
      "String.raw`^\\s{0,40}-?\\s{0,40}(?:markdown\\.extensions\\.)?${extension.replaceAll('.', '\\\\.')}:\\s{0,40}$`",
    example: { source: '^\\s{0,40}-?\\s{0,40}(?:markdown\\.extensions\\.)?toc:\\s{0,40}$', flags: '' },
    why: 'Names of extensions that stand in the code.',
  },
  {
    file: 'site/frameworks/sphinx/sphinx-settings.ts',
    argument: '`^${name}\\\\s{0,20}=\\\\s{0,20}\\\\{`',
    example: { source: '^myst_substitutions\\s{0,20}=\\s{0,20}\\{', flags: 'm' },
    why: 'Names of settings that stand in the code.',
  },
]
