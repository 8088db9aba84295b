import type { ReadMarkdown } from '../../../api/render/markdown/read-markdown.ts'

/** Characters and blocks of one message. */
const longest = { block: 2800, blocks: 12 }

/** Markdown as blocks of Slack’s mark-up. What a text of a stranger says stays text: it mentions nobody. */
export async function mrkdwnOf(
  { readMarkdown }: { readMarkdown: ReadMarkdown },
  projectId: string,
  markdown: string,
): Promise<string[]> {
  const text =
    (await readMarkdown({ projectId, markdown, mdx: false, printed: { form: 'mrkdwn' } })) ??
    markdown.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  return blocksOf(text)
}

/** Cuts a text between its lines; a block of code is closed and opened again. */
export function blocksOf(text: string): string[] {
  const blocks: string[] = []
  let block = ''
  let isCode = false
  for (const line of text.split('\n')) {
    const whole = line.slice(0, longest.block - 100)
    if (block.length + whole.length + 10 > longest.block) {
      blocks.push(isCode ? `${block}\n\`\`\`` : block)
      block = isCode ? '```' : ''
    }
    block += block === '' ? whole : `\n${whole}`
    if (line.startsWith('```')) isCode = !isCode
  }
  return [...blocks, block].filter((one) => one.trim() !== '').slice(0, longest.blocks)
}
