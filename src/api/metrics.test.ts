import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { testMachine } from '../../tests/worlds/machine.ts'
import type { Measured } from '../lib/trace.ts'
import type { Store } from '../store/database.ts'
import type { Queue } from '../store/queue.ts'
import { createMetrics } from './metrics.ts'

const create = () => createMetrics({ store: {} as Store, queue: {} as Queue, machine: testMachine() })

it('has every metric that the dashboard and the alerts in deploy/ ask for, with its labels', async () => {
  const known = new Map(
    create()
      .registry.getMetricsAsArray()
      .flatMap(({ name, labelNames = [] }: { name: string; labelNames?: string[] }) => [
        [name, labelNames],
        [`${name}_count`, labelNames],
        [`${name}_sum`, labelNames],
        [`${name}_bucket`, [...labelNames, 'le']],
      ]),
  )
  const labels = new Set(['instance', ...[...known.values()].flat()])
  for (const file of ['deploy/grafana/docwright.json', 'deploy/prometheus/alerts.yml']) {
    const text = (await readFile(file, 'utf8')).replaceAll('\\"', '"')
    const asked = [...text.matchAll(/\b((?:docwright|process|nodejs)_[a-z\d_]+)(?:\{([^}]*)\})?/g)]
    expect(asked.length).toBeGreaterThan(3)
    const wrong = asked.flatMap(([, name = '', matchers = '']) => {
      const wanted = [...matchers.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label]) => label)
      const has = known.get(name)
      return has && wanted.every((label) => has.includes(label ?? '')) ? [] : [`${name}{${matchers}}`]
    })
    expect(wrong).toEqual([])
    const grouped = [...text.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(/,\s*/))
    expect(grouped.filter((label) => !labels.has(label))).toEqual([])
  }
})

it('is described in the documentation, metric by metric', async () => {
  const page = await readFile('docs/operate/monitoring.mdx', 'utf8')
  const described = new Set([...page.matchAll(/^\| `(docwright_\w+)` \|/gm)].map(([, name]) => name))
  const own = create()
    .registry.getMetricsAsArray()
    .flatMap(({ name }) => (name.startsWith('docwright_') ? name : []))
  expect(new Set(own)).toEqual(described)
})

it('counts spans by what is known beforehand, however many models there are', async () => {
  const metrics = create()
  const measured = (name: string, values: Measured['values'], seconds = 1): void =>
    metrics.count({ name, values, seconds, events: new Map([['first text', 0.3]]) })
  const call = (model: string, values: Measured['values']): void =>
    measured('chat', {
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': model,
      'docwright.purpose': 'agent',
      ...values,
    })
  const used = {
    'gen_ai.usage.input_tokens': 100,
    'gen_ai.usage.cache_read.input_tokens': 40,
    'gen_ai.usage.output_tokens': 7,
    'docwright.cost': 0.25,
  }
  call('gpt-5', used)
  call('gpt-5', { 'error.type': 'rate' })
  // What a server reports may be anything, and a call must not fail for it.
  call('gpt-5', { 'gen_ai.usage.input_tokens': Number.NaN, 'gen_ai.usage.output_tokens': -1 })
  for (let n = 0; n < 60; n++) call(`model-${n}`, {})
  const answer = { 'docwright.outcome': 'answered', 'docwright.over_budget': true }
  measured('answer', answer, 3)
  measured('answer', { ...answer, 'docwright.check': true }, 3)
  measured('turn ended', { 'docwright.outcome': 'failed', 'error.type': 'budget' }, 90)
  measured('sync', { 'error.type': 'repository' })
  measured('of no interest', {})
  const of = async (name: string): Promise<string> => metrics.registry.getSingleMetricAsString(name)
  const gpt = 'provider="openai",model="gpt-5",purpose="agent"'
  const tokens = await of('docwright_model_tokens_total')
  expect(tokens).toContain(`{${gpt},type="input"} 60`)
  expect(tokens).toContain(`{${gpt},type="cached_input"} 40`)
  expect(tokens).toContain(`{${gpt},type="output"} 7`)
  expect(await of('docwright_model_cost_dollars_total')).toContain(`{${gpt}} 0.25`)
  expect(await of('docwright_model_errors_total')).toContain(`{${gpt},error="rate"} 1`)
  const calls = await of('docwright_model_call_seconds')
  expect(calls).toContain(`_count{${gpt}} 3`)
  expect(calls).toContain('_count{provider="openai",model="other",purpose="agent"} 11')
  expect(await of('docwright_answer_seconds')).toContain('_count{outcome="answered"} 1')
  expect(await of('docwright_answer_seconds')).toContain('_count{outcome="failed"} 0')
  expect(await of('docwright_answer_first_text_seconds')).toMatch(/le="0.25"\} 0\n.*le="0.5"\} 1/)
  expect(await of('docwright_answers_over_budget_total')).toMatch(/ 1$/m)
  expect(await of('docwright_turn_failures_total')).toContain('{code="budget"} 1')
  expect(await of('docwright_sync_seconds')).toContain('_count{result="failed"} 1')
})
