import { AppError } from '../../../lib/errors.ts'
import type { JobPorts } from '../../../features/agent/ports.ts'
import type { Access } from '../../access.ts'
import type { Addresses } from './job-body.ts'

/** What the job endpoints need. */
export interface JobEndpointDependencies {
  access: Access
  jobs: JobPorts
  addresses: Addresses
}

export function jobNotFound(id: string): AppError {
  return new AppError(
    'not_found',
    `There is no job ${JSON.stringify(id.slice(0, 100))} in this project; check the address`,
  )
}
