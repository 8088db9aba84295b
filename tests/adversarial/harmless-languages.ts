import { casesOf } from './harmless-case.ts'
import { githubSite, starlightSite, vitepressSite } from './harmless-markdown-sites.ts'
import { docusaurusSite, mintlifySite } from './harmless-mdx-sites.ts'
import { mkdocsSite } from './harmless-other-sites.ts'

// Pages in many languages, with their own marks and directions.

const docusaurus = casesOf(docusaurusSite)
const mkdocs = casesOf(mkdocsSite)
const vitepress = casesOf(vitepressSite)
const starlight = casesOf(starlightSite)
const github = casesOf(githubSite)
const mintlify = casesOf(mintlifySite)

docusaurus.page(
  'Japanese',
  'website/i18n/ja/docusaurus-plugin-content-docs/current/intro.md',
  `
---
title: はじめに
description: 大きなファイルを分割してキューに送ります。
---

Quarry は、大きなファイルを**小さな断片**に分けます。

:::note[注意]

1 GB 未満のファイルから始めてください(推奨)。

:::

| 設定 | 既定値 |
| --- | --- |
| \`pieces.size\` | 4MiB |

「断片」については[用語集](./glossary.md#断片)を参照してください。
`,
)
docusaurus.page(
  'Chinese in two scripts',
  'website/i18n/zh-Hans/docusaurus-plugin-content-docs/current/install.mdx',
  `
---
title: 安装
keywords: [安装, 設定]
---

import Tabs from '@theme/Tabs'
import TabItem from '@theme/TabItem'

<Tabs groupId="package-manager">
  <TabItem value="npm" label="npm(推荐)" default>

\`\`\`bash
npm install quarry # 安装最新版本
\`\`\`

  </TabItem>
</Tabs>

《手冊》說:「先裝,後用」。
`,
)
docusaurus.page(
  'Korean',
  'website/i18n/ko/docusaurus-plugin-content-docs/current/faq.md',
  `
---
title: 자주 묻는 질문
---

## 조각은 얼마나 큰가요? {#piece-size}

최대 **64 MiB**입니다. \`pieces.size\`를 보세요.

<details>
<summary>왜 64인가요?</summary>

큐가 더 받지 않습니다.

</details>
`,
)
docusaurus.page(
  'Hindi and Bengali',
  'website/i18n/hi/docusaurus-plugin-content-docs/current/intro.md',
  `
---
title: परिचय
---

क्वैरी बड़ी फ़ाइलों को टुकड़ों में काटता है। क्ष और ज्ञ भी।

বাংলা: ফাইল কাটে।
`,
)
docusaurus.edit(
  'a sentence in Japanese',
  {
    'website/i18n/ja/docusaurus-plugin-content-docs/current/faq.md': [
      ['ファイルを削除します。', 'ファイルは**削除しません**。'],
    ],
  },
  {
    'website/i18n/ja/docusaurus-plugin-content-docs/current/faq.md': `
---
title: よくある質問
---

ファイルを削除します。
`,
  },
)
mkdocs.page(
  'German with quotes',
  'handbook/docs/de/anleitung.md',
  `
# Anleitung

!!! warning "„Soll“ und „Haben“"

    Was „gebucht“ ist, bleibt gebucht – auch ›versehentlich‹.

Größe: 3,5 GB; Straße, Öl, ẞ. Siehe § 5 Abs. 2 und die [Übersicht](../index.md).

=== "Für Vereine"

    Beiträge sind »Einnahmen«.
`,
)
mkdocs.page(
  'French with narrow spaces',
  'handbook/docs/fr/guide.md',
  `
# Guide

!!! note "À savoir"

    Le fichier s’appelle « grand livre » : une ligne par écriture ; rien d’autre !

L’œuvre coûte 1 234,50 €. N° 5, 2ᵉ édition.
`,
)
mkdocs.page(
  'Greek and Cyrillic',
  'handbook/docs/el/index.md',
  `
# Οδηγός

Κάθε εγγραφή έχει **δύο** πλευρές· γιατί;

Русский: каждая запись — «две стороны». Українська: її обов’язково перевіряють.
`,
)
mkdocs.edit(
  'a word in German',
  {
    'handbook/docs/de/konten.md': [
      ['Ein Konto ist „offen“.', 'Ein Konto ist „offen“ oder „geschlossen“ (nie beides).'],
    ],
  },
  {
    'handbook/docs/de/konten.md': `
# Konten

Ein Konto ist „offen“.
`,
  },
)
vitepress.page(
  'Arabic from right to left',
  'docs/ar/guide/start.md',
  `
---
title: البداية
description: دليل البدء السريع
dir: rtl
---

# البداية {#start}

ثبّت الحزمة بالأمر \`npm add -D wharf\` ثم افتح الملف.

::: tip ملاحظة
يحتاج Wharf إلى Node 20.
:::

<div dir="rtl">

| الخيار | القيمة |
| --- | --- |
| \`map\` | \`true\` |

</div>
`,
)
vitepress.page(
  'Hebrew with points',
  'docs/he/guide/start.md',
  `
# הַתְחָלָה

הריצו את \`wharf\` בתיקייה. "שלום" – 3 קבצים.

::: details למה?
ככה.
:::
`,
)
vitepress.page(
  'Persian with joiners',
  'docs/fa/guide/start.md',
  `
# شروع

می‌توانید فایل‌ها را ببندید. نسخهٔ ۳٫۱ را ببینید.
`,
)
vitepress.page(
  'Thai and Vietnamese',
  'docs/th/guide/start.md',
  `
# เริ่มต้น

ติดตั้งด้วย \`npm add -D wharf\` แล้วเปิดไฟล์

Tiếng Việt: gói nhỏ, chạy nhanh.
`,
)
vitepress.page(
  'emoji of families and flags',
  'docs/guide/community.md',
  `
# Community 👩‍👩‍👧‍👦

Members: 🇩🇪 🇯🇵 🏴󠁧󠁢󠁳󠁣󠁴󠁿 🏳️‍🌈, 1️⃣ to #️⃣, ❤️ and ☎︎.
`,
)
vitepress.edit(
  'a sentence in Arabic',
  {
    'docs/ar/faq.md': [['لا شيء.', 'لا شيء، إلا الأمر `wharf --map`.']],
  },
  {
    'docs/ar/faq.md': `
# أسئلة

لا شيء.
`,
  },
)
starlight.page(
  'Spanish with asides',
  'docs/src/content/docs/es/guides/setup.mdx',
  `
---
title: Instalación
description: "¿Cómo se instala? ¡Así!"
sidebar:
  badge: Nuevo
---

import { Steps, Aside } from '@astrojs/starlight/components';

<Steps>

1. Instala el agente.
2. Pon nombre a la primera tarea.

</Steps>

<Aside type="tip" title="Días y años">
  El año «bisiesto» tiene 366 días.
</Aside>
`,
)
starlight.page(
  'Portuguese',
  'docs/src/content/docs/pt-br/index.md',
  `
---
title: Heron
---

:::note[Atenção]
Não há e-mail quando está tudo bem; há ligação quando não está.
:::
`,
)
starlight.page(
  'Turkish letters',
  'docs/src/content/docs/tr/index.md',
  `
---
title: Heron
---

İş çalışmazsa haber verir: ığdır, IĞDIR, İstanbul, ı ≠ i.
`,
)
github.page(
  'Polish and Czech',
  'docs/pl.md',
  `
# Tern po polsku

> [!NOTE]
> „Zażółć gęślą jaźń” – to nie błąd.

Příliš žluťoučký kůň úpěl ďábelské ódy.
`,
)
github.page(
  'a mixture in one table',
  'docs/names.md',
  `
# Names

| Language | Bird |
|----------|------|
| Deutsch | Seeschwalbe |
| العربية | خرشنة |
| 日本語 | アジサシ |
| עברית | שחפית |
| Ελληνικά | γλαρόνι |
`,
)
github.page(
  'full width signs and old numbers',
  'docs/signs.md',
  `
# Signs

全角:ABC123<>{}、$100。Ⅳ, ½, №, ‰, ←→, … — – ‚ ‘ ’.

Combining: é and ö; ligatures: ffi.
`,
)
mintlify.page(
  'Italian with components',
  'docs/it/guides/etichette.mdx',
  `
---
title: "Etichette"
description: "Compra, stampa e annulla un'etichetta."
---

<Tip>C'è **sempre** un'anteprima: «prova» prima di comprare.</Tip>

<Accordion title="Perché non c'è più?">
  È già stata letta: l'annullamento non è possibile.
</Accordion>
`,
)
mintlify.page(
  'Dutch and Swedish',
  'docs/nl/index.mdx',
  `
---
title: "Zo’n pakket"
---

'k Weet het: ’s avonds komt het pakket. På svenska: åtta små öar är blå.
`,
)

export const harmlessLanguages = [
  ...docusaurus.cases,
  ...mkdocs.cases,
  ...vitepress.cases,
  ...starlight.cases,
  ...github.cases,
  ...mintlify.cases,
]
