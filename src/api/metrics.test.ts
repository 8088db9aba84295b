import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { testMachine } from '../../tests/worlds/machine.ts'
import type { Store } from '../store/database.ts'
import { createMetrics } from './metrics.ts'

it('has every metric that the dashboard and the alerts in deploy/ ask for', async () => {
  const known = new Set(
    createMetrics({} as Store, testMachine())
      .registry.getMetricsAsArray()
      .flatMap(({ name }) => [name, `${name}_count`, `${name}_bucket`]),
  )
  for (const file of ['deploy/grafana/docwright.json', 'deploy/prometheus/alerts.yml']) {
    const asked = (await readFile(file, 'utf8')).match(/\b(?:docwright|process|nodejs)_[a-z\d_]+/g) ?? []
    expect(asked.length).toBeGreaterThan(3)
    expect(asked.filter((name) => !known.has(name))).toEqual([])
  }
})
