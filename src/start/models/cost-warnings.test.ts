import { expect, it } from 'vitest'
import { costWarnings } from './cost-warnings.ts'
import { modelChecks } from './model-checks.ts'
import { json, modelsAt, openProvider } from '../../../tests/worlds/models.ts'

const known = 'openai:gpt-5.5'
const unknown = 'compatible:some/model'

it('names the models that a limit of cost does not hold for', () => {
  const models = modelsAt('http://127.0.0.1:1', { DOCWRIGHT_MODEL: known, DOCWRIGHT_FALLBACK_MODEL: unknown })
  const warnings = (jobMaxCost: number | undefined, settings: object) =>
    costWarnings(models, { jobMaxCost }, { settings })
  expect(warnings(undefined, { model: unknown, budget: { tokens: 1 } })).toEqual([])
  expect(warnings(2, {})).toEqual([expect.stringContaining(`No price known for ${unknown},`)])
  expect(warnings(undefined, { model: 'ollama:qwen3:8b', budget: { cost: 1 } })).toHaveLength(1)
  const alone = modelsAt('http://127.0.0.1:1', { DOCWRIGHT_MODEL: known })
  for (const model of [known, 'builtin', 'ollama:qwen3:8b'])
    expect(costWarnings(alone, { jobMaxCost: 2 }, { settings: { model } })).toEqual([])
})

it('is told by doctor too', async () => {
  const call = {
    id: 'c',
    type: 'function',
    function: { name: 'read_file', arguments: '{"path":"index.md"}' },
  }
  const answer = (message: object) =>
    json(200, {
      id: 'c',
      created: 1,
      model: 'm',
      choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: 'stop' }],
    })
  await using provider = await openProvider([
    (response, { body }) =>
      answer(body['stream'] === true ? { content: 'So.' } : { content: null, tool_calls: [call] })(response),
  ])
  const check = async (environment: NodeJS.ProcessEnv) => {
    const base = { DOCWRIGHT_MODEL: unknown, OPENAI_COMPATIBLE_BASE_URL: `${provider.url}/v1` }
    const checked = await modelChecks({ ...base, ...environment })[0]?.run()
    return typeof checked === 'object' ? checked.detail : checked
  }
  expect(await check({ DOCWRIGHT_JOB_MAX_COST: '2.50' })).toMatch(
    /^compatible:.*A job’s first call.*\. No price known for compatible:/,
  )
  expect(await check({})).not.toContain('price')
})
