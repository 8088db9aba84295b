import { isRecord } from '../../../lib/is-record.ts'

/**
 * What some chat templates need beyond what all requests keep to. It would cost the others something, so it is met where a
 * server has refused a request for it.
 */
export type Need = 'single calls' | 'no system' | 'descriptions'

/** The need for which a server refuses a request, by the words of its template. */
export function needIn(refusal: string): Need | undefined {
  const words = refusal.slice(0, 20_000)
  if (/only supports single tool[- ]calls/i.test(words)) return 'single calls'
  if (/system role (?:is )?not supported/i.test(words)) return 'no system'
  return undescribed.test(words) ? 'descriptions' : undefined
}

/** As engines of templates say that one joins a text with what is not there; only some say its name. */
const undescribed =
  /has no (?:attribute|element) ['"]?description|concatenate str|operation \+ on undefined|operator \+.{0,80}(?:undefined|none|null)/i

/** Every input of a tool with a description, which some templates print without a look whether there is one. */
function describeInputs(tool: unknown): unknown {
  if (!isRecord(tool) || !isRecord(tool['function'])) return tool
  const { parameters } = tool['function']
  return isRecord(parameters)
    ? { ...tool, function: { ...tool['function'], parameters: describeProperties(parameters) } }
    : tool
}

function describeProperties(schema: Record<string, unknown>): Record<string, unknown> {
  const { properties, items } = schema
  return {
    ...schema,
    ...(isRecord(items) && { items: describeProperties(items) }),
    ...(isRecord(properties) && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, property]) => [
          name,
          isRecord(property) ? { description: '', ...describeProperties(property) } : property,
        ]),
      ),
    }),
  }
}

/** The request so that a template with these needs takes it. */
export function meetNeeds(body: string, needs: ReadonlySet<Need>): string {
  if (needs.size === 0) return body
  const request: unknown = JSON.parse(body)
  if (!isRecord(request) || !Array.isArray(request['messages'])) return body
  let messages = request['messages'].filter(isRecord)
  if (needs.has('single calls')) messages = messages.flatMap((message, at) => singly(message, messages, at))
  if (needs.has('no system')) messages = withoutSystem(messages)
  const tools = needs.has('descriptions') ? request['tools'] : undefined
  return JSON.stringify({
    ...request,
    messages,
    ...(Array.isArray(tools) && { tools: tools.map(describeInputs) }),
  })
}

type Message = Record<string, unknown>

/** An answer with several calls as several answers, each followed by its result. */
function singly(message: Message, messages: Message[], at: number): Message[] {
  const calls = callsOf(message)
  if (calls.length > 1) {
    const results = messages.slice(at + 1)
    return calls.flatMap((call, n) => [
      { ...message, content: n === 0 ? message['content'] : '', tool_calls: [call] },
      ...results.filter(({ role, tool_call_id: id }) => role === 'tool' && id === call['id']).slice(0, 1),
    ])
  }
  if (message['role'] !== 'tool') return [message]
  const caller = messages
    .slice(0, at)
    .findLast((one) => callsOf(one).some(({ id }) => id === message['tool_call_id']))
  return caller && callsOf(caller).length > 1 ? [] : [message]
}

function callsOf(message: Message): Message[] {
  return Array.isArray(message['tool_calls']) ? message['tool_calls'].filter(isRecord) : []
}

/** Its words come first in those of the user. */
function withoutSystem(messages: Message[]): Message[] {
  const [system, ...rest] = messages
  const words = system?.['role'] === 'system' ? system['content'] : undefined
  const at = rest.findIndex(({ role }) => role === 'user')
  const said = rest[at]?.['content']
  if (typeof words !== 'string' || typeof said !== 'string') return messages
  return rest.map((message, index) =>
    index === at ? { ...message, content: `${words}\n\n${said}` } : message,
  )
}
