/** For tests: pages as editors and converters of other times wrote them, made with iconv. Base64 of their bytes. */
export const legacyPages = {
  shift_jis: {
    base64:
      'LS0tCnRpdGxlOiCQ3ZLog0uDQ4NoCi0tLQoKIyCVXI6mgsyQ3ZLoCgqCsYLMg3mBW4NXgsWCzSBBY21lIILMjmeCopX7gvCQ4Ja+grWC3IK3gUJbjp+C1l0ob3RoZXIubWQpCoNcgVuDWILGg4GDaoOFgVuC8IptlEaCtYLEgq2CvoKzgqKBQpVcgs2UXJfNgsyI6peXgsWCt4FCCg==',
    text: '---\ntitle: 設定ガイド\n---\n\n# 表示の設定\n\nこのページでは Acme の使い方を説明します。[次へ](other.md)\nソースとメニューを確認してください。表は能力の一覧です。\n',
  },
  'euc-jp': {
    base64:
      'IyDJvbyopM7A38TqCgqks6TOpdqhvKW4pMekzyBBY21lIKTOu8ikpMr9pPLA4szApLek3qS5oaNbvKGk2F0ob3RoZXIubWQpCg==',
    text: '# 表示の設定\n\nこのページでは Acme の使い方を説明します。[次へ](other.md)\n',
  },
  gbk: {
    base64:
      'LS0tCnRpdGxlOiDJ6NbD1rjEzwotLS0KCiMgz9TKvsno1sMKCrG+0rPD5su1w/fI57rOyrnTwyBBY21loaNbz8LSu9KzXShvdGhlci5tZCkKx+u87LLpssu1pbrNwLTUtKOsyLu687GjtObE+rXEuPy4xKGjCg==',
    text: '---\ntitle: 设置指南\n---\n\n# 显示设置\n\n本页面说明如何使用 Acme。[下一页](other.md)\n请检查菜单和来源，然后保存您的更改。\n',
  },
  big5: {
    base64:
      'IyDF46Xcs12pdwoKpbuttruhqfqmcKbzqM+lziBBY21loUNbpFWkQK22XShvdGhlci5tZCkKvdDAy6xkv++z5rtQqNO3vaFBtU2r4cB4pnOxeqq6xdyn86FDCg==',
    text: '# 顯示設定\n\n本頁說明如何使用 Acme。[下一頁](other.md)\n請檢查選單與來源，然後儲存您的變更。\n',
  },
  'euc-kr': {
    base64:
      'IyDHpb3DILyzwaQKCsDMIMbkwMzB9rTCIEFjbWUgu+e/6yC55rn9wLsgvLO47cfVtM+02S4gW7TZwL1dKG90aGVyLm1kKQo=',
    text: '# 표시 설정\n\n이 페이지는 Acme 사용 방법을 설명합니다. [다음](other.md)\n',
  },
  'windows-1251': {
    base64:
      'LS0tCnRpdGxlOiDQ8+ru4u7k8fLi7gotLS0KCiMgzeDx8vDu6ergIO7y7uHw4Obl7ej/Cgrd8uAg8fLw4O3o9uAg7u/o8fvi4OXyIOjx7+7r/Ofu4uDt6OUgQWNtZS4gW8Tg6+XlXShvdGhlci5tZCkK',
    text: '---\ntitle: Руководство\n---\n\n# Настройка отображения\n\nЭта страница описывает использование Acme. [Далее](other.md)\n',
  },
  'koi8-r': {
    base64:
      'IyDuwdPU0s/Ky8Egz9TPwtLB1sXOydEKCvzUwSDT1NLBzsnDwSDP0MnT2dfBxdQgydPQz8zY2s/Xwc7JxSBBY21lLiBb5MHMxcVdKG90aGVyLm1kKQo=',
    text: '# Настройка отображения\n\nЭта страница описывает использование Acme. [Далее](other.md)\n',
  },
  'windows-1252': {
    base64:
      'LS0tCnRpdGxlOiBS6WdsYWdlcwotLS0KCiMgR3L232UKCkNldHRlIHBhZ2UgZOljcml0IGySdXNhZ2UgZJJBY21lIOAgbJLpY29sZS4gW1N1aXRlXShvdGhlci5tZCkKRvxyIGFsbGUgTeRubmVyOiCEc2No9m6TLgo=',
    text: '---\ntitle: Réglages\n---\n\n# Größe\n\nCette page décrit l’usage d’Acme à l’école. [Suite](other.md)\nFür alle Männer: „schön“.\n',
  },
  'windows-1253': {
    base64:
      'IyDR9ejs3/Pl6fIg5ez23O3p8+fyCgrB9fTeIOcg8+Xr3+ThIPDl8enj8dz25ekg9Ocg9/He8+cg9O/1IEFjbWUuIFvF8Pzs5e3vXShvdGhlci5tZCkK',
    text: '# Ρυθμίσεις εμφάνισης\n\nΑυτή η σελίδα περιγράφει τη χρήση του Acme. [Επόμενο](other.md)\n',
  },
  'windows-1255': {
    base64: 'IyDk4uP45fog+vbl4uQKCuPzIObkIO764Pgg4Pog5Pnp7uX5IOEgQWNtZS4gW+Th4F0ob3RoZXIubWQpCg==',
    text: '# הגדרות תצוגה\n\nדף זה מתאר את השימוש ב Acme. [הבא](other.md)\n',
  },
  'windows-1250': {
    base64:
      'IyBOYXN0YXZlbu0gem9icmF6ZW7tCgpUYXRvIHN0cuFua2EgcG9waXN1amUgcG91nml07SBhcGxpa2FjZSBBY21lLiBQ+O1saZognmx1nW916Gv9IGv58i4gW0RhbJrtXShvdGhlci5tZCkK',
    text: '# Nastavení zobrazení\n\nTato stránka popisuje použití aplikace Acme. Příliš žluťoučký kůň. [Další](other.md)\n',
  },
} as const
