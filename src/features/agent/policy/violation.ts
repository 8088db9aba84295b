import type { ApprovalColumn } from '../../../store/columns.ts'

/** Something that a diff may not do, as a sentence about a file: what is wrong and, where it helps, what to do. */
export interface Violation {
  code:
    | 'path'
    | 'protected'
    | 'outside'
    | 'opt-out'
    | 'mode'
    | 'binary'
    | 'size'
    | 'removal'
    | 'secret'
    | 'active'
    | 'complex'
  path: string
  /** Of the file as it would be, from 1. */
  line?: number
  message: string
  /** It is published, as a draft, for a person to look at. Without it, it is held. */
  degree?: 'look'
  /** With this allowed it would be none. */
  approval?: ApprovalColumn
}
