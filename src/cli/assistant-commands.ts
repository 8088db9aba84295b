import type { Command } from 'commander'
import { z } from 'zod'
import { AppError } from '../lib/errors.ts'
import { beginningOf, makePrintable } from '../lib/text/plain-text.ts'
import { frameKinds, searchResult } from '../nouns/assistant/answers.ts'
import { resolveProject, type CommandContext } from './command-context.ts'
import { readAnswer, type Answer } from './read-answer.ts'
import { stateText, styled } from './terminal-text.ts'
import { wholeNumber } from './typed-number.ts'

const {
  'text-delta': text,
  'source-url': source,
  'tool-output-available': output,
  finish,
  error,
} = frameKinds
/** A frame of any type, also of one that only newer servers send. */
const frame = z.object({
  type: z.string(),
  ...z.object({ ...text[1], ...source[1], ...output[1], ...finish[1], ...error[1] }).partial().shape,
})

export function addAssistantCommands(program: Command, open: (command: Command) => CommandContext): void {
  program
    .command('ask <question>')
    .description('Ask the assistant a question')
    .option('--project <domain-or-id>', 'project (default: the only project)')
    .option('--thread <id>', 'continue this conversation')
    .option('--filter <name=value...>', filterHelp)
    .action(
      async (
        question: string,
        options: { project?: string; thread?: string; json?: boolean; filter?: string[] },
        command: Command,
      ) => {
        const context = open(command)
        const { domain } = await resolveProject(context, options.project)
        const response = await context.request('POST', `/discovery/v2/assistant/${domain}/message`, {
          fp: 'docwright-cli',
          threadId: options.thread ?? null,
          filter: filterOf(options.filter),
          messages: [{ id: 'question', role: 'user', parts: [{ type: 'text', text: question }] }],
        })
        const reply = {
          text: '',
          sources: [] as { url: string; title: string }[],
          threadId: response.headers.get('x-thread-id'),
          outcome: null as string | null,
        }
        const write = (text: string): void => {
          reply.text += text
          if (options.json !== true) process.stdout.write(makePrintable(text))
        }
        for await (const frame of framesOf(response)) {
          if (frame.type === 'text-delta') write(frame.delta ?? '')
          // A text of its own, such as a note behind the answer.
          else if (frame.type === 'text-start' && reply.text !== '') write('\n\n')
          else if (frame.type === 'source-url') {
            reply.sources.push({ url: frame.url ?? '', title: frame.title ?? '' })
          } else if (frame.type === 'finish') {
            reply.outcome = frame.messageMetadata?.outcome ?? null
          } else if (frame.type === 'error') {
            throw new AppError('unavailable', frame.errorText ?? 'The answer failed')
          }
        }
        context.print(reply, () => [
          '\n',
          ...reply.sources.map(({ url, title }) => [styled('bold', title), styled('cyan', `  ${url}`)]),
          [stateText(reply.outcome ?? ''), styled('dim', `  thread ${reply.threadId ?? ''}`)],
        ])
      },
    )

  program
    .command('search <query>')
    .description('Search the docs')
    .option('--project <domain-or-id>', 'project (default: the only project)')
    .option('--limit <number>', 'maximum number of results', wholeNumber(1, 50), 10)
    .option('--filter <name=value...>', filterHelp)
    .action(
      async (
        query: string,
        options: { project?: string; limit: number; filter?: string[] },
        command: Command,
      ) => {
        const context = open(command)
        const { domain } = await resolveProject(context, options.project)
        const body = { query, pageSize: options.limit, filter: filterOf(options.filter) }
        const results = await context.read(
          z.array(searchResult),
          'POST',
          `/discovery/v1/search/${domain}`,
          body,
        )
        context.print(results, () =>
          results.length === 0
            ? 'Nothing found'
            : results.flatMap(({ path, content, metadata: { title, url, heading, alsoIn = [] } }, at) => [
                ...(at === 0 ? [] : ['']),
                [styled('bold', titleOf(title, heading)), styled('dim', `  ${path}`)],
                [styled('cyan', url)],
                `    ${beginningOf(content, 240)}`,
                ...alsoIn.map((other) => [
                  styled(
                    'dim',
                    `    also in ${[other.version, other.language].filter(Boolean).join(', ')}  ${other.url}`,
                  ),
                ]),
              ]),
        )
      },
    )
}

const filterHelp = 'only some pages: version=2.0, language=de, tag=setup; group=admin adds those of a group'

function filterOf(
  pairs: string[] = [],
): { version?: string; language?: string; tag?: string; groups?: string[] } | undefined {
  if (pairs.length === 0) return undefined
  const filter: ReturnType<typeof filterOf> = {}
  for (const pair of pairs) {
    const [name = '', ...rest] = pair.split('=')
    const value = rest.join('=')
    if (value === '' || !['version', 'language', 'tag', 'group'].includes(name))
      throw new AppError('invalid', `A filter is version=…, language=…, tag=… or group=…, not ${pair}`)
    if (name === 'group') filter.groups = [...(filter.groups ?? []), value]
    else if (name === 'version') filter.version = value
    else if (name === 'tag') filter.tag = value
    else filter.language = value
  }
  return filter
}

function titleOf(title: string, heading: string | null): string {
  return heading === null || heading === title ? title : `${title} › ${heading}`
}

/** The frames of an answer as the assistant streams it. */
export async function* framesOf(response: Response): AsyncGenerator<Answer<typeof frame>> {
  let buffered = ''
  const decoder = new TextDecoder()
  for await (const chunk of response.body ?? []) {
    buffered += decoder.decode(chunk, { stream: true })
    for (let end = buffered.indexOf('\n\n'); end >= 0; end = buffered.indexOf('\n\n')) {
      const data = buffered.slice(0, end).replace(/^data: /, '')
      buffered = buffered.slice(end + 2)
      if (data !== '' && data !== '[DONE]') yield readAnswer(frame, JSON.parse(data), 'with a frame')
    }
  }
}
