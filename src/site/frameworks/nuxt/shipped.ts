import { type ShippedParts, wordsOf } from '../../pages/shipped-parts.ts'

export const nuxtShipped: ShippedParts = {
  components:
    wordsOf(`Accordion AccordionItem Badge Callout Card CardGroup Code CodeCollapse CodeGroup CodePreview CodeTree Caution
    Collapsible Field FieldGroup Icon Kbd Note ProseA ProseCode ProsePre Step Steps Tabs TabsItem Tip Warning ClientOnly NuxtLink`),
  directives:
    wordsOf(`accordion accordion-item badge callout card card-group caution code code-collapse code-group code-preview
    code-tree collapsible columns div field field-group icon kbd note prose-a prose-callout prose-caution prose-code prose-img prose-kbd prose-note
    prose-table prose-tip prose-warning span steps tabs tabs-item tip warning u-badge u-button u-color-mode-image u-container
    u-page-card u-page-feature u-page-grid u-page-hero u-page-section u-page-cta`),
}
