/** A language in which the built-in model can say the little that it says itself. */
export type Language = keyof typeof phrases

/** What the model says itself, `…` being what is filled in. Everything else of an answer is quoted. */
export interface Phrases {
  found: string
  /** `…`: words that the whole documentation does not hold. */
  unknown: string
  /** `…`: words that what was found does not hold. */
  unmentioned: string
  unanswered: string
  /** `…`: a part of the question. */
  noPart: string
  /** Before a quote that may be about something else. */
  weak: string
  nearest: string
  /** `…`: the language of the pages. */
  otherLanguage: string
  greeting: string
  thanks: string
}

/**
 * The language of a text, by its script or by its most frequent words; undefined for a text that is too short to
 * say.
 */
export function languageOf(text: string): Language | undefined {
  const read = text.slice(0, 4000)
  const letters = read.match(/\p{L}/gu)?.length ?? 0
  const written = (script: RegExp): boolean => {
    const count = read.match(script)?.length ?? 0
    return count > 1 && count > letters * 0.15
  }
  if (written(/[\p{Script=Hiragana}\p{Script=Katakana}]/gu)) return 'ja'
  if (written(/\p{Script=Hangul}/gu)) return 'ko'
  if (written(/\p{Script=Han}/gu)) return 'zh'
  if (written(/\p{Script=Cyrillic}/gu)) return 'ru'
  const counts = new Map<Language, number>([['en', 0]])
  const words = [...read.toLowerCase().matchAll(/\p{L}+/gu)].map(([word]) => word)
  for (const word of words)
    for (const [language, list] of frequent)
      if (list.has(word)) counts.set(language, (counts.get(language) ?? 0) + 1)
  const [best] = [...counts].sort((a, b) => b[1] - a[1])
  if (!best || best[1] === 0) return undefined
  const [language, count] = best
  if (language === 'en') return language
  // Single words are in many languages: "comment", "como", "die".
  const others = new Set(words.filter((word) => frequent.get(language)?.has(word)))
  return others.size > 1 ||
    (count > 0 && words.length <= mostAlone && counts.get('en') === 0 && accented.test(read))
    ? language
    : undefined
}

/** Whether a word says nothing about what a question is about. English ones are known to the search. */
export function isFrequent(word: string, language: Language): boolean {
  return frequent.get(language)?.has(word.toLowerCase()) === true
}

export function phrasesIn(language: Language): Phrases {
  return phrases[language]
}

/** The name of a language in another one, as in "pages in German". */
export function nameOfLanguage(language: Language, inLanguage: Language): string {
  return new Intl.DisplayNames([inLanguage], { type: 'language' }).of(language) ?? language
}

/** Words of a question in which one frequent word is enough, where its letters are not English. */
const mostAlone = 5
const accented = /[äöüßàâçèéêëîïôùûœáíñóúãõ¿¡]/i

const split = (list: string): Set<string> => new Set(list.split(/\s+/))

/** The most frequent words of languages that share the Latin script. Few of them are words of another. */
const frequent = new Map<Language, Set<string>>([
  [
    'en',
    split(`the is are how what do does can i to of and in for with my which where why when there this that from you it on
    not or if should`),
  ],
  [
    'de',
    split(`der die das ist wie was kann ich den dem ein eine einen einem und oder mit für von zu auf nicht welche welcher
    wo warum wird werden mein meine es gibt im beim zum zur man muss`),
  ],
  [
    'fr',
    split(`le la les des est comment puis je un une et ou avec pour dans du quel quelle quels où pourquoi mon ma mes ce cette
    il y a-t sur sont peut on peux`),
  ],
  [
    'es',
    split(`el la los las es cómo como qué que puedo un una y o con para en del cuál dónde por mi mis se hay está este esta son
    puede`),
  ],
  [
    'pt',
    split(`o os é como que posso um uma e ou com para em da das qual onde por meu minha se há está são pode não eu
    na`),
  ],
])

const phrases = {
  en: {
    found: 'Here is what the documentation says:',
    unknown: 'The documentation does not mention ….',
    unmentioned: 'The passages that were found do not mention ….',
    unanswered: 'The documentation does not answer this question.',
    noPart: 'The documentation does not answer “…”.',
    weak: 'This is the closest that the documentation comes, and it may not answer your question:',
    nearest: 'These pages come nearest:',
    otherLanguage: 'The pages that were found are in ….',
    greeting: 'Hello! What would you like to know from the documentation?',
    thanks: 'You are welcome!',
  },
  de: {
    found: 'Das sagt die Dokumentation dazu:',
    unknown: 'Die Dokumentation erwähnt … nicht.',
    unmentioned: 'Die gefundenen Stellen erwähnen … nicht.',
    unanswered: 'Die Dokumentation beantwortet diese Frage nicht.',
    noPart: '„…“ beantwortet die Dokumentation nicht.',
    weak: 'Näher kommt die Dokumentation dieser Frage nicht; vielleicht ist es nicht die Antwort:',
    nearest: 'Diese Seiten kommen ihr am nächsten:',
    otherLanguage: 'Die gefundenen Seiten sind auf ….',
    greeting: 'Hallo! Was möchten Sie aus der Dokumentation wissen?',
    thanks: 'Gern geschehen!',
  },
  fr: {
    found: 'Voici ce que dit la documentation :',
    unknown: 'La documentation ne mentionne pas ….',
    unmentioned: 'Les passages trouvés ne mentionnent pas ….',
    unanswered: 'La documentation ne répond pas à cette question.',
    noPart: 'La documentation ne répond pas à « … ».',
    weak: 'La documentation ne va pas plus loin sur ce point, et ceci ne répond peut-être pas à la question :',
    nearest: 'Ces pages s’en approchent le plus :',
    otherLanguage: 'Les pages trouvées sont en ….',
    greeting: 'Bonjour ! Que souhaitez-vous savoir de la documentation ?',
    thanks: 'Avec plaisir !',
  },
  es: {
    found: 'Esto dice la documentación:',
    unknown: 'La documentación no menciona ….',
    unmentioned: 'Los pasajes encontrados no mencionan ….',
    unanswered: 'La documentación no responde a esta pregunta.',
    noPart: 'La documentación no responde a «…».',
    weak: 'Esto es lo más cercano que dice la documentación, y puede que no responda a la pregunta:',
    nearest: 'Estas páginas son las más cercanas:',
    otherLanguage: 'Las páginas encontradas están en ….',
    greeting: '¡Hola! ¿Qué le gustaría saber de la documentación?',
    thanks: '¡De nada!',
  },
  pt: {
    found: 'A documentação diz o seguinte:',
    unknown: 'A documentação não menciona ….',
    unmentioned: 'Os trechos encontrados não mencionam ….',
    unanswered: 'A documentação não responde a esta pergunta.',
    noPart: 'A documentação não responde a “…”.',
    weak: 'Isto é o mais próximo que a documentação diz, e talvez não responda à pergunta:',
    nearest: 'Estas páginas são as mais próximas:',
    otherLanguage: 'As páginas encontradas estão em ….',
    greeting: 'Olá! O que gostaria de saber da documentação?',
    thanks: 'De nada!',
  },
  ru: {
    found: 'Вот что говорит документация:',
    unknown: 'В документации не упоминается ….',
    unmentioned: 'В найденных отрывках не упоминается ….',
    unanswered: 'Документация не отвечает на этот вопрос.',
    noPart: 'На вопрос «…» документация не отвечает.',
    weak: 'Ближе всего в документации следующее, но это может и не быть ответом:',
    nearest: 'Ближе всего эти страницы:',
    otherLanguage: 'Язык найденных страниц: ….',
    greeting: 'Здравствуйте! Что вы хотите узнать из документации?',
    thanks: 'Пожалуйста!',
  },
  zh: {
    found: '文档中的说明如下：',
    unknown: '文档中没有提到…。',
    unmentioned: '找到的内容没有提到…。',
    unanswered: '文档中没有这个问题的答案。',
    noPart: '文档没有回答“…”。',
    weak: '以下是文档中最接近的内容，可能没有回答您的问题：',
    nearest: '以下页面最为接近：',
    otherLanguage: '找到的页面所用语言为…。',
    greeting: '你好！您想从文档中了解什么？',
    thanks: '不客气！',
  },
  ja: {
    found: 'ドキュメントには次のように書かれています：',
    unknown: 'ドキュメントには…についての記載がありません。',
    unmentioned: '見つかった箇所には…についての記載がありません。',
    unanswered: 'この質問の答えはドキュメントにありません。',
    noPart: 'ドキュメントは「…」に答えていません。',
    weak: 'ドキュメントで最も近い記述は次のとおりですが、質問の答えではないかもしれません：',
    nearest: '最も近いページは次のとおりです：',
    otherLanguage: '見つかったページの言語は…です。',
    greeting: 'こんにちは！ドキュメントについて何を知りたいですか？',
    thanks: 'どういたしまして！',
  },
  ko: {
    found: '문서에는 다음과 같이 나와 있습니다:',
    unknown: '문서에는 … 관련 내용이 없습니다.',
    unmentioned: '찾은 부분에는 … 관련 내용이 없습니다.',
    unanswered: '문서에 이 질문에 대한 답이 없습니다.',
    noPart: '문서에는 “…”에 대한 답이 없습니다.',
    weak: '문서에서 가장 가까운 내용은 다음과 같으며, 질문의 답이 아닐 수 있습니다:',
    nearest: '가장 가까운 페이지는 다음과 같습니다:',
    otherLanguage: '찾은 페이지의 언어는 …입니다.',
    greeting: '안녕하세요! 문서에서 무엇을 알고 싶으신가요?',
    thanks: '천만에요!',
  },
} as const satisfies Record<string, Phrases>
