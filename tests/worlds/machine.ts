import { troubleFor, type TroubleReason } from '../../src/lib/machine-trouble.ts'
import type { Machine } from '../../src/integrations/machine/machine.ts'

/** For tests: a machine that is as well as it is told to be. */
export interface TestMachine extends Omit<Machine, keyof Disposable> {
  reason: TroubleReason | undefined
}

export function testMachine(): TestMachine {
  const machine: TestMachine = {
    reason: undefined,
    trouble: () => (machine.reason === undefined ? undefined : troubleFor(machine.reason)),
    freeBytes: () => 1024 ** 4,
    look: () => Promise.resolve(machine.trouble()),
  }
  return machine
}
