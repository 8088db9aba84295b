import { type ShippedParts, wordsOf } from '../../pages/shipped-parts.ts'

export const mintlifyShipped: ShippedParts = {
  components:
    wordsOf(`Accordion AccordionGroup Card CardGroup Cards Check CodeGroup Columns Column Danger Expandable Frame Icon Info Note Panel
    ParamField RequestExample ResponseExample ResponseField Step Steps Tab Tabs Tip Tooltip Update Warning Badge Banner Tile Tiles
    Tree View Color Prompt CodeBlock Callout Param Properties Property Row Col Snippet CodeBlocks Latex Mermaid`),
}
