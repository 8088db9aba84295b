import { escapeForChat } from '../../api/render/markdown/print-chat.ts'
import type { ReadMarkdown } from '../../api/render/markdown/read-markdown.ts'
import type { Button, ChatPlatform, Content } from './platform.ts'

/**
 * Markdown as a message of a platform, with buttons below it. What a text of a stranger says stays text: it mentions nobody.
 */
export async function contentOf(
  readMarkdown: ReadMarkdown,
  { markup, longest }: Pick<ChatPlatform, 'markup' | 'longest'>,
  { projectId, markdown, notice = '' }: { projectId: string; markdown: string; notice?: string },
  ...buttons: readonly Button[][]
): Promise<Content> {
  const text =
    (await readMarkdown({ projectId, markdown, mdx: false, printed: { form: 'chat', markup } })) ??
    // It takes too long to read.
    escapeForChat(markdown, markup)
  return {
    blocks: blocksOf(text, longest),
    buttons: buttons.filter((row) => row.length > 0),
    notice: notice || text.slice(0, 150),
  }
}

/** Cuts a text between its lines; a block of code is closed and opened again. */
export function blocksOf(text: string, longest: ChatPlatform['longest']): string[] {
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
