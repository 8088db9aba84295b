import { type ShippedParts, wordsOf } from '../../pages/shipped-parts.ts'

export const gitbookShipped: ShippedParts = {
  calls:
    wordsOf(`hint endhint tabs endtabs tab endtab content-ref endcontent-ref code endcode stepper endstepper step endstep
    columns endcolumns column endcolumn updates endupdates update endupdate file endfile code-tabs endcode-tabs code-tabs-item endcode-tabs-item`),
  includeFolders: ['_includes', '.gitbook/includes'],
}
