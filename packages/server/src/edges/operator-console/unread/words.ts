import type { Language } from '../../web/console/site.ts'

const tr = {
  title: 'Okunamayan satırlar',
  lead: 'Bankanın verdiği ama deftere alınamayan satırlar. Para hesapta olabilir; defterde yoktur.',
  none: 'Okunamayan satır yok.',
  more: (count: number) => `${count} satır daha var.`,
  noAmount: 'tutar okunamadı',
  account: 'Hesap',
  noAccount: 'satırda yazmıyor',
  sender: 'Karşı taraf',
  reason: 'Neden alınamadı',
  toDo: 'Ne yapmalı',
  source: 'Kaynak',
  bookedAt: 'Bankadaki zaman',
  readAt: 'Okundu',
  number: 'Banka numarası',
  whole: 'Satır',
  id: 'No',
  file: 'Dosya',
  openFile: 'yüklenen dosyayı aç',
  steps: {
    uploaded:
      'Bir kişinin yüklediği dosyadan geldi ve onaylanırken okunamıyordu; bu yüzden o dosyadan deftere alınmaz. Para hesaptaysa iki kişi satırı elle girer ya da dosyanın aktarımını geri alıp dosyayı okunabilir olunca yeniden yükleyin. Sonra bunu kapatın.',
    account:
      'Hesap bizimse Bankalar sayfasından eklenmesini önerin, sonra “Yeniden almayı dene”. Bizim değilse bankaya neden verdiğini sorun, sonra satırı kapatın.',
    connection: 'Bankalar sayfasından hesabın bağlantısına bakın; düzeltilince “Yeniden almayı dene”.',
    line: 'Bankadan satırı düzeltmesini isteyin ve sunucuyu yöneten kişiye bildirin. Banka satırı doğru olarak yeniden verirse bunu kapatın.',
  },
  retry: 'Yeniden almayı dene',
  retryHint: 'Bağlantılardan gelen ve kapatılmamış bütün satırlar yeniden denenir; alınanlar eşleştirmeye gider.',
  close: 'Kapat',
  why: 'Neden artık bakmak gerekmiyor (en az 5 harf)',
  closed: 'Kapatılanlar',
  closedBy: 'Kapatan',
  reopen: 'Yeniden aç',
  said: {
    unreadTaken: 'Satırlar yeniden denendi; alınanlar eşleştirmede.',
    unreadNotTaken: 'Satırlar yeniden denendi; hiçbiri alınamadı.',
    unreadClosed: 'Satır kapatıldı; kayıtlı kalır.',
    unreadReopened: 'Satır yeniden açıldı.',
  },
}

type Words = typeof tr

const en: Words = {
  title: 'Lines that could not be read',
  lead: 'Lines that a bank gave and that are not in the books. The money may be on the account.',
  none: 'There is no unread line.',
  more: (count) => `${count} more.`,
  noAmount: 'no readable amount',
  account: 'Account',
  noAccount: 'not written in the line',
  sender: 'Other party',
  reason: 'Why it was not taken in',
  toDo: 'What to do',
  source: 'Source',
  bookedAt: 'Time at the bank',
  readAt: 'Read',
  number: 'Number of the bank',
  whole: 'Line',
  id: 'No.',
  file: 'File',
  openFile: 'open the uploaded file',
  steps: {
    uploaded:
      'It came with a file that a person uploaded and was unread when the file was approved, so it is not booked from that file. If the money is on the account, two people enter the line by hand, or undo the import and upload the file again when it is readable. Then close this one.',
    account:
      'If the account is ours, propose it on the page Banks, then “Try again”. If not, ask the bank why it gave the line, then close it.',
    connection: 'Check the connection of the account on the page Banks; once it is right, “Try again”.',
    line: 'Ask the bank to correct the line, and tell the person who runs the machines. If the bank gives it again correctly, close this one.',
  },
  retry: 'Try again',
  retryHint: 'All lines of connections that are not closed are tried again; those that are taken in go to matching.',
  close: 'Close',
  why: 'Why it needs no more attention (at least 5 letters)',
  closed: 'Closed',
  closedBy: 'Closed by',
  reopen: 'Open again',
  said: {
    unreadTaken: 'The lines were tried again; those taken in are in matching.',
    unreadNotTaken: 'The lines were tried again; none could be taken in.',
    unreadClosed: 'The line is closed; it is kept.',
    unreadReopened: 'The line is open again.',
  },
}

export const UNREAD_WORDS: Record<Language, Words> = { tr, en }
