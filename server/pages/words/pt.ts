import type { Words } from './en.ts';

/** Portuguese, as spoken in Brazil. */
export const pt: Words = {
  locale: 'pt-BR',
  problem: 'Problema',
  back: 'Voltar',
  kinds: {
    image: 'Imagem',
    audio: 'Áudio',
    video: 'Vídeo',
    pdf: 'Documento PDF',
    text: 'Texto',
    archive: 'Arquivo compactado',
    document: 'Documento',
    sheet: 'Planilha',
    slides: 'Apresentação',
    other: 'Arquivo',
  },
  landing: {
    intro: 'Alguém compartilhou um arquivo com você',
    download: 'Baixar',
    view: 'Ver no navegador',
    previewOf: 'Prévia de {name}',
    expires: 'O link expira',
    exactly: '{when} (UTC)',
    downloads: 'Downloads',
    downloadsLeft: { one: 'resta {count}', other: 'restam {count}' },
    checksum: 'Soma de verificação (SHA-256)',
    checksumHint: 'Se a da sua cópia for igual, o arquivo chegou inteiro.',
    caution: 'Abra somente se você souber quem enviou.',
  },
  password: {
    title: 'Este link pede uma senha',
    text: 'Quem enviou o link pode informar a senha.',
    label: 'Senha',
    hint: 'Letras maiúsculas e minúsculas fazem diferença.',
    open: 'Abrir',
    wrong: 'Senha incorreta. Confira e tente novamente.',
    tooMany: 'Tentativas demais.',
  },
  over: {
    exhausted: {
      title: 'Não restam downloads',
      text: 'Todos os downloads deste link já foram usados. Peça um novo link a quem o enviou.',
    },
    expired: { title: 'Este link expirou', text: 'Peça um novo link a quem o enviou.' },
    'not-found': {
      title: 'Não há nada neste link',
      text:
        'O endereço pode estar incompleto, ou quem enviou retirou o link ou o arquivo. ' +
        'Confira o endereço ou peça um novo link a quem o enviou.',
    },
  },
  hiddenCard: { title: 'Um arquivo compartilhado', text: 'Abra o link para vê-lo.' },
  cardForPeople: {
    text:
      'Esta página é para aplicativos que mostram prévias de links. ' +
      'Se você é uma pessoa, abra o link no seu navegador.',
    open: 'Abrir o link',
  },
  failure: {
    title: 'Não deu certo',
    tooMany: 'Solicitações demais',
    tryAgain: 'Tente novamente {when}.',
    reasons: {
      ACCESS_DENIED: 'Você não está conectado. Entre e tente novamente.',
      ACCOUNT_SUSPENDED: 'O operador parou esta conta. Fale com ele.',
      APIKEY_LIMIT_REACHED: 'Há dez chaves ativas. Revogue uma e tente novamente.',
      BODY_TOO_LARGE: 'O que foi enviado é longo demais. Envie menos.',
      INTERNAL_SERVER_ERROR: 'Algo deu errado do nosso lado. Tente novamente em instantes.',
      INVALID_BODY: 'Este formulário está incompleto. Recarregue a página.',
      INVALID_FORM_TOKEN: 'Este formulário é antigo demais ou veio de outra página. Recarregue a página.',
      INVALID_USER_CODE:
        'Nenhum pedido aguarda com esse código. Compare-o com a tela do seu dispositivo ou recomece por lá.',
      METHOD_NOT_ALLOWED: 'Este endereço não pode ser usado dessa forma. Abra-o em um navegador.',
      MISSING_SCOPE: 'Esta chave não permite isso. Use outra chave.',
      NOT_FOUND: 'O endereço pode estar incompleto. Confira-o ou pergunte a quem o passou para você.',
      RATE_LIMITED: 'Foram muitas em pouco tempo.',
      SHARE_EXHAUSTED: 'Todos os downloads deste link já foram usados. Peça um novo link a quem o enviou.',
      SHARE_EXPIRED: 'Este link expirou. Peça um novo link a quem o enviou.',
      SHARE_NOT_FOUND: 'Não há nada neste link. Confira o endereço ou peça um novo link a quem o enviou.',
      SHARE_PASSWORD_REQUIRED: 'Este link pede uma senha. Recarregue a página e informe a senha.',
      STORAGE_UNAVAILABLE: 'O armazenamento não está disponível no momento. Tente novamente em alguns minutos.',
    },
  },
};
