import type { RequestMessages } from './en.ts';

/** Portuguese, as spoken in Brazil. */
export const pt: RequestMessages = {
  request: {
    intro: 'Alguém pede arquivos a você',
    sender: 'Seu nome',
    senderHint: 'Seus arquivos vão para uma pasta com este nome.',
    sendingAs: 'Você envia como {name}.',
    files: 'Arquivos',
    folder: 'Ou uma pasta inteira',
    send: 'Enviar',
    sentBefore: 'Ver o que você enviou',
    until: 'Até',
    types: 'Tipos de arquivo',
    largest: 'Maior arquivo',
    left: 'Ainda aceita',
    filesLeft: { one: '{count} arquivo', other: '{count} arquivos' },
    caution: 'Somente quem pede pode ver o que você envia. Não envie nada a quem você não conhece.',
    noneStored: 'Nenhum dos seus arquivos foi armazenado.',
    over: {
      closed: {
        title: 'Este pedido está fechado',
        text: 'Ele não aceita mais arquivos. Fale com quem enviou o endereço.',
      },
      expired: {
        title: 'O prazo terminou',
        text: 'Este pedido não aceita mais arquivos. Fale com quem enviou o endereço.',
      },
      full: {
        title: 'Este pedido está completo',
        text: 'Ele já recebeu tudo o que aceita. Fale com quem enviou o endereço.',
      },
      'not-found': {
        title: 'Não há nada neste endereço',
        text: 'Ele pode estar incompleto, ou o pedido foi apagado. Confira-o ou fale com quem o enviou.',
      },
    },
  },
  sending: {
    drop:
      'Você também pode soltar arquivos e pastas aqui. Se o envio for interrompido, escolha os ' +
      'mesmos arquivos em até um ' +
      'dia. Ele continua de onde parou.',
    pause: 'Pausar',
    resume: 'Continuar',
    retry: 'Tentar de novo',
    remove: 'Remover',
    paused: 'Em pausa',
    states: {
      waiting: 'Aguardando',
      sending: 'Enviando',
      broken: 'Nova tentativa em breve',
      stored: 'Recebido',
      failed: 'Não armazenado',
    },
    lost: 'A conexão caiu. Tente de novo.',
    total: 'Todos os arquivos',
    count: '{done} de {all} arquivos chegaram',
    done: 'Todos os seus arquivos chegaram.',
    failed: 'Não armazenados: {count}.',
    tooManyOpen: 'Há muitos arquivos seus por terminar. Termine ou remova um e tente de novo.',
  },
  sent: {
    title: 'Seus arquivos chegaram',
    text: 'Guarde o recibo se precisar provar o que enviou.',
    receipt: 'Salvar o recibo assinado',
    more: 'Enviar mais arquivos',
    received: 'Recebido',
    computing: 'ainda não calculado',
    notStored: 'Não armazenados',
  },
};
