import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer } from 'vitest/node'
import type { TestSpecification } from 'vitest/node'
import { sortTestFiles } from './tests/test-kinds.ts'

const files = await sortTestFiles()
const kinds = ['server', 'store', 'pure']

/** What starts servers takes longest, so that the end is filled with what is short. */
class LongestFirst extends BaseSequencer {
  override async sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(specifications)
    return sorted.toSorted(
      (one, other) => kinds.indexOf(one.project.name) - kinds.indexOf(other.project.name),
    )
  }
}

/** What takes longest: a usual run has to end within ten minutes on two cores. Only `--mode all` runs these. */
const long = [
  'tests/git-hosts/git-hosts-faults.test.ts',
  'tests/git-hosts/git-hosts-kinds.test.ts',
  'tests/git-hosts/renamed-branch.test.ts',
  'tests/hand-built-bodies.browser.test.ts',
  'tests/hostile.test.ts',
  'tests/memory.test.ts',
  'tests/public-path.browser.test.ts',
  'tests/processes/chat.test.ts',
  'tests/processes/database-neighbours.test.ts',
  'tests/processes/hostile-page.test.ts',
  'tests/processes/machine-trouble.test.ts',
  'tests/processes/many-processes.test.ts',
  'tests/processes/postgres-restarts.test.ts',
  'tests/processes/proxies.test.ts',
  'tests/processes/resume.test.ts',
  'tests/processes/step-kills.test.ts',
  'tests/processes/two-machines.test.ts',
  'tests/resume.browser.test.ts',
  'tests/shares.test.ts',
  'tests/upgrade.test.ts',
]

/** Milliseconds, far above what a busy machine takes: they only end what hangs. To look again loads what is waited for. */
const limits = {
  testTimeout: 600_000,
  hookTimeout: 600_000,
  expect: { poll: { timeout: 120_000, interval: 200 } },
}

/** With `--mode all`, whatever is short in a usual run is long, and runs on both engines. */
export default defineConfig(({ mode }) => {
  const env: Record<string, string> = mode === 'all' ? { TEST_ALL: 'true' } : {}
  const setupFiles = [
    ...(process.env['TEST_CPU'] === undefined ? [] : ['tests/count-cpu.setup.ts']),
    ...(mode === 'all' ? [] : ['tests/bundled-threads.setup.ts']),
  ]
  const common = { ...limits, env, setupFiles }
  const server = mode === 'all' ? files.server : files.server.filter((file) => !long.includes(file))
  // The embedded database compiles once only: a test file ends before the faster code pays.
  const withGit = {
    ...common,
    setupFiles: [...setupFiles, 'tests/spawner.setup.ts', 'tests/described-answers.setup.ts'],
    execArgv: ['--liftoff-only'],
  }
  return {
    test: {
      // More than cores: tests of servers wait for them. Each loads the code again, and more of them get in each other's way.
      maxWorkers: availableParallelism() + 2,
      sequence: { sequencer: LongestFirst },
      globalSetup: ['tests/stores.setup.ts'],
      projects: [
        { test: { ...common, name: 'pure', include: files.pure, isolate: false } },
        { test: { ...withGit, name: 'store', include: files.store, isolate: false } },
        { test: { ...withGit, name: 'server', include: server, isolate: false } },
      ],
    },
  }
})
