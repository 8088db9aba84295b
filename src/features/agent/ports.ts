import type { Machine } from '../../integrations/machine/machine.ts'
import type { Models } from '../../integrations/models/model.ts'
import type { Store } from '../../store/database.ts'
import type { Queue } from '../../store/queue.ts'

/** The dependencies of creating jobs. */
export interface JobPorts {
  store: Store
  queue: Pick<Queue, 'send'>
  models: Models
  machine: Pick<Machine, 'trouble'>
}
