import { jobBody } from '../../contract.ts'
import { jsonContent } from '../../responses.ts'

export const oneJob = { description: 'The job', content: jsonContent(jobBody) }
