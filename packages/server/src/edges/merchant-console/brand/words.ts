const tr = {
  lead: 'Müşterinizin ödeme sayfasında gördüğü ad, renk ve logo.',
  name: 'Görünen ad',
  accent: 'Renk',
  accentHint: 'Düğmelerin rengi. Okunması zor bir renk, en yakın okunur tona çevrilir.',
  adjusted: (light: string, dark: string) => `Sayfada kullanılan tonlar: açık temada ${light}, koyu temada ${dark}.`,
  preview: 'Önizle',
  save: 'Kaydet',
  logo: 'Logo',
  logoFile: 'PNG dosyası',
  logoHint: 'En çok 1 MB. 320 × 96 piksele sığdırılır; dosyanın yalnızca pikselleri saklanır.',
  upload: 'Logoyu yükle',
  notPng: 'Logo bir PNG dosyası olmalı.',
  light: 'Açık tema',
  dark: 'Koyu tema',
  unsaved: 'Bu bir önizleme: henüz kaydedilmedi.',
  alt: (theme: string, name: string) => `${theme}: ${name} ödeme sayfasının örneği`,
  sample: { amount: 'Ödenecek tutar', iban: 'IBAN', to: 'Alıcı adı', code: 'Açıklama', done: 'Transferi yaptım' },
  said: { brand_saved: 'Marka kaydedildi; ödeme sayfaları bundan sonra böyle görünür.' },
}

type Words = typeof tr

const en: Words = {
  lead: 'Name, colour and logo that your customer sees on the payment page.',
  name: 'Shown name',
  accent: 'Colour',
  accentHint: 'Colour of the buttons. One that is hard to read becomes the nearest shade that is not.',
  adjusted: (light, dark) => `Shades used on the page: ${light} in the light theme, ${dark} in the dark one.`,
  preview: 'Preview',
  save: 'Save',
  logo: 'Logo',
  logoFile: 'PNG file',
  logoHint: 'At most 1 MB. It is fitted into 320 × 96 pixels; only the pixels of the file are kept.',
  upload: 'Upload the logo',
  notPng: 'The logo must be a PNG file.',
  light: 'Light theme',
  dark: 'Dark theme',
  unsaved: 'This is a preview: it is not saved yet.',
  alt: (theme, name) => `${theme}: a sample of the payment page of ${name}`,
  sample: { amount: 'Amount to pay', iban: 'IBAN', to: 'Recipient', code: 'Description', done: 'I have paid' },
  said: { brand_saved: 'The brand is saved; payment pages look like this from now on.' },
}

export const BRAND_WORDS = { tr, en }
