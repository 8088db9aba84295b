import { type PageProblem, pageTrees } from '../../markdown/page-tree.ts'
import type { Finding } from '../problem.ts'
import type { FileVersion } from '../tree-change.ts'

/** Whether the page parses as MDX. A parser finds only the first mistake, so a page that had one before gets no new finding. */
export async function checkMdx(file: FileVersion): Promise<Finding[]> {
  if (file.isMarkdown && file.tree === undefined) return [unread(file.text)]
  if (file.mdx === undefined) return []
  if ((await file.site.customs.isCompiled?.(file, (path) => file.view.text(path))) === false) return []
  const { problem } = pageTrees.read(file.text, file.mdx)
  if (problem === undefined) return []
  const { message, hint } = explainMdx(problem, file.text.split('\n')[problem.line - 1] ?? '')
  return [{ check: 'mdx', line: problem.line, message, hint, same: 'mdx' }]
}

function unread(text: string): Finding {
  const { problem } = pageTrees.read(text, 'flat-markdown')
  return {
    check: 'mdx',
    severity: 'warning',
    line: problem?.line ?? 1,
    message: `The page was not checked: ${problem?.reason ?? 'it cannot be read'}`,
    hint: 'Make its paragraphs shorter or less nested',
    same: 'mdx',
  }
}

/** The parser's message in words that say what to change. */
function explainMdx({ reason, column }: PageProblem, line: string): { message: string; hint: string } {
  const [, name = ''] = /for `?(<[^`\s]*>)`?/.exec(reason) ?? []
  const at = `in column ${column}`
  if (/^Expected (?:a closing tag|the closing tag)/.test(reason)) {
    const tag =
      /closing tag `?(<\/[^`\s]*>)`?/.exec(reason)?.[1] ?? (name === '' ? '' : name.replace('<', '</'))
    return tag !== '' && reason.startsWith('Expected the')
      ? {
          message: `${tag} does not close its tag in the paragraph where that is opened`,
          hint: `Put ${tag.replace('/', '')} and ${tag} each on a line of its own, or both on one line`,
        }
      : {
          message: `${name} is never closed`,
          hint: `Close ${name} with ${tag}, or write <${name.slice(1, -1)} /> when nothing is in it`,
        }
  }
  if (reason.startsWith('Unexpected closing tag')) {
    const [closing = '', opened = ''] = [...reason.matchAll(/`(<\/?[^`]*>)`/g)].map(([, tag]) => tag)
    return {
      message: `${closing} closes a tag while ${opened} is still open`,
      hint: `Close ${opened} with ${opened.replace('<', '</')} before ${closing}`,
    }
  }
  if (reason.includes('Unexpected closing slash')) {
    return { message: `A closing tag ${at} closes nothing`, hint: 'Remove it, or open the tag before it' }
  }
  if (reason.includes('to create a comment in MDX')) {
    return { message: `A comment ${at} is written as in HTML`, hint: 'Write {/* … */} instead of <!-- … -->' }
  }
  if (reason.includes('to create a link in MDX')) {
    return {
      message: `A URL ${at} is in angle brackets`,
      hint: 'Write [text](address) instead of <address>',
    }
  }
  if (/Unexpected end of file in expression|corresponding closing brace/.test(reason)) {
    return {
      message: `A \`{\` is opened ${at} and never closed`,
      hint: 'Close it with `}`, or write `\\{` where it is text',
    }
  }
  if (/Could not parse (?:expression|import)/.test(reason)) {
    return reason.includes('expression')
      ? {
          message: `The text in braces ${at} is not JavaScript${excerpt(line, column)}`,
          hint: 'Write `\\{` and `\\}` where the braces are text, or put the text in backticks',
        }
      : {
          message: `The import or export ${at} is not valid JavaScript`,
          hint: 'Repair it, or, where it is text, do not start the line with import or export',
        }
  }
  if (/lazy line/.test(reason)) {
    return {
      message: 'A tag or an expression in a quote or list continues in a line outside of it',
      hint: 'Start the line with `>` or indent it as the lines before it',
    }
  }
  if (/Unexpected (?:character|end of file)/.test(reason)) {
    const where = / (?:before|in|after) ([a-z ]+)/.exec(reason)?.[1]?.replace(/,? expected.*/s, '') ?? 'tag'
    return {
      message: `A \`<\` starts a tag that cannot be read ${at} (${where.trim()})${excerpt(line, column)}`,
      hint: 'Write `&lt;` or `\\<` where it is text, or repair the tag',
    }
  }
  return {
    message: `The page does not compile: ${reason.slice(0, 200)}`,
    hint: 'Repair the line, then check again',
  }
}

function excerpt(line: string, column: number): string {
  const text = line.slice(Math.max(0, column - 20), column + 20).trim()
  return text === '' ? '' : `, near ${JSON.stringify(text)}`
}
