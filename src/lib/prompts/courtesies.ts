/** Words of greetings, thanks and goodbyes, with the words that people put around them. */
const courteous = new Set(
  `hi hello hey hiya howdy yo greetings welcome good morning afternoon evening day night bye goodbye cheers ciao see you later
  thanks thank thx ty tysm thankyou ta appreciated appreciate much many very so a lot bunch again for your the help helping answer
  ok okay k great cool nice perfect awesome amazing excellent brilliant super wonderful lovely fine yes yeah yep yup no nope sure right
  alright got it gotcha understood i see that this all was is worked works helped helpful it's that's solved done sorry please wow
  and well then there everyone team all
  hallo moin servus guten tag morgen abend danke dankeschön dankeschoen vielen dank herzlichen schön sehr für die deine ihre hilfe antwort
  tschüss super prima alles klar gut bitte
  bonjour bonsoir salut coucou merci beaucoup bien mille pour votre ton aide réponse parfait d'accord au revoir
  hola buenos buenas días dias tardes noches gracias muchas muchísimas mil por la tu su ayuda respuesta perfecto vale adiós adios
  olá ola oi bom boa dia tarde noite obrigado obrigada muito brigado valeu pela pelo sua ajuda resposta tchau perfeito
  buongiorno buonasera grazie tante molte mille per l'aiuto il tuo suo aiuto perfetto arrivederci salve
  goedemorgen goedemiddag goedenavond bedankt dank je u wel hartelijk voor hulp dag doei prima
  hej hejsan tack så mycket tusen tak mange takk for hjälpen hjelpen hjælpen kiitos paljon moi
  cześć czesc dzień dobry dziękuję dziekuje dzięki dzieki bardzo za pomoc
  привет здравствуйте здравствуй добрый день утро вечер спасибо большое огромное благодарю за помощь ответ понятно пока дякую привіт
  merhaba selam günaydın teşekkürler teşekkür ederim çok yardımın için sağ ol sağol
  ahoj dobrý den děkuji díky moc za pomoc
  terima kasih banyak halo selamat pagi siang malam
  xin chào cảm ơn bạn rất nhiều
  नमस्ते धन्यवाद शुक्रिया बहुत
  مرحبا مرحباً السلام عليكم أهلا شكرا شكراً جزيلا جزيلاً
  תודה רבה שלום`
    .normalize('NFKC')
    .split(/\s+/),
)

/** The same in scripts that write without spaces. */
const unspaced =
  /谢谢|多谢|感谢|謝謝|感謝|您好|你好|大家好|早上好|晚上好|再见|好的|好吧|明白了|知道了|收到|非常|你的|您的|帮助|幫助|了|您|你|啦|ありがとう|ございます|ございました|こんにちは|こんばんは|おはよう|さようなら|どうも|了解|です|しました|감사합니다|감사해요|고맙습니다|고마워요|고마워|안녕하세요|안녕|네|ขอบคุณ|สวัสดี|มาก|ครับ|ค่ะ|คะ/gu

const longest = 120

/** Whether a message only greets, thanks or takes its leave, so that there is nothing to look up. */
export function isCourtesy(message: string): boolean {
  if (message.length > longest) return false
  const words = message
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('’', "'")
    .replaceAll(unspaced, ' courtesy ')
    .match(/[\p{L}\p{N}\p{M}']+/gu)
  return words?.every((word) => word === 'courtesy' || courteous.has(word)) ?? false
}
