import { folderOf } from '../../text/paths.ts'
import { liquidIncludes } from '../jekyll/includes.ts'

export const gitbookIncludes = liquidIncludes(({ site, from }) => [folderOf(from), site.root])
