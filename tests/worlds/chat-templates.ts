/**
 * Chat templates of our own that are as strict as those which open models come with, by family. They write no format of a
 * model: only what they refuse matters.
 */
const systemFirst = `
{%- if messages[0].role == 'system' -%}{%- set rest = messages[1:] -%}{{ messages[0].content }}
{%- else -%}{%- set rest = messages -%}{%- endif -%}`

const textsOnly = `
{%- for message in messages -%}
  {%- if message.content is not string -%}{{ raise_exception('content must be a text') }}{%- endif -%}
{%- endfor -%}`

/** Results and the answers that ask for them are not counted. */
const userTurns = `
{%- set turns = namespace(n=0) -%}
{%- for message in rest -%}
  {%- if message.role == 'user' or (message.role == 'assistant' and not message.tool_calls) -%}
    {%- if (message.role == 'user') != (turns.n % 2 == 0) -%}{{ raise_exception('roles must alternate user/assistant') }}{%- endif -%}
    {%- set turns.n = turns.n + 1 -%}
  {%- endif -%}
{%- endfor -%}`

const nineSigns = `
{%- for message in rest -%}
  {%- for call in message.tool_calls or [] -%}
    {%- if call.id | length != 9 -%}{{ raise_exception('ids of calls must have nine letters and digits') }}{%- endif -%}
  {%- endfor -%}
  {%- if message.role == 'tool' and message.tool_call_id | length != 9 -%}{{ raise_exception('ids of results must have nine letters and digits') }}{%- endif -%}
{%- endfor -%}`

const write = `
{%- for tool in tools or [] -%}{{ tool.function.name }}: {{ tool.function.parameters | tojson }}
{% endfor -%}
{%- for message in rest -%}
[{{ message.role }}] {{ message.content }}
{%- for call in message.tool_calls or [] -%}{{ call.function.name }}({% for key, value in call.function.arguments.items() %}{{ key }}={{ value | tojson }} {% endfor %}){%- endfor %}
{% endfor -%}`

const knownRoles = (roles: string): string => `
{%- for message in rest -%}
  {%- if message.role not in [${roles}] -%}{{ raise_exception('unknown role ' + message.role) }}{%- endif -%}
{%- endfor -%}`

/** Every result follows the answer that asked for it. */
const answeredCalls = `
{%- set open = namespace(n=0) -%}
{%- for message in rest -%}
  {%- if message.role == 'tool' -%}
    {%- if open.n < 1 -%}{{ raise_exception('a result without a call') }}{%- endif -%}
    {%- set open.n = open.n - 1 -%}
  {%- elif open.n > 0 -%}{{ raise_exception('not the same number of calls and results') }}
  {%- else -%}{%- set open.n = (message.tool_calls or []) | length -%}{%- endif -%}
{%- endfor -%}`

const lastUser = `
{%- set query = namespace(found=false) -%}
{%- for message in rest -%}{%- if message.role == 'user' and message.content is string -%}{%- set query.found = true -%}{%- endif -%}{%- endfor -%}
{%- if not query.found -%}{{ raise_exception('No user query found in messages.') }}{%- endif -%}`

const all = "'user', 'assistant', 'tool'"

export const chatTemplates: Record<string, string> = {
  'Mistral Small': systemFirst + textsOnly + knownRoles(all) + userTurns + nineSigns + write,
  Ministral: systemFirst + textsOnly + userTurns + nineSigns + answeredCalls + write,
  Nemo: systemFirst + userTurns + nineSigns + answeredCalls + write,
  'Qwen 2.5': systemFirst + textsOnly + write,
  'Qwen 3': systemFirst + lastUser + knownRoles(all) + write,
  DeepSeek: systemFirst + textsOnly + knownRoles(all) + answeredCalls + write,
  'Command R': systemFirst + knownRoles(all) + answeredCalls + textsOnly + write,
  Phi: systemFirst + textsOnly + knownRoles(all) + write,
}

/** Those that take less than our requests hold, which is met once a server has refused one. */
export const limitedTemplates: Record<string, string> = {
  'Llama 3': `${systemFirst}
{%- for message in rest -%}
  {%- if message.tool_calls and message.tool_calls | length != 1 -%}{{ raise_exception('This model only supports single tool-calls at once!') }}{%- endif -%}
{%- endfor -%}${answeredCalls}${write}`,
  Gemma: `{%- set rest = messages -%}
{%- if messages[0].role == 'system' -%}{{ raise_exception('System role not supported') }}{%- endif -%}
${userTurns}${write}`,
  'Command R+': `${systemFirst}
{%- for tool in tools or [] -%}{%- for name, input in tool.function.parameters.properties.items() -%}
  {{ name + ' (' + input.type + '): ' + input.description }}
{%- endfor -%}{%- endfor -%}${write}`,
}
