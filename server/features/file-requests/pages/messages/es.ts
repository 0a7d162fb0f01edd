import type { RequestMessages } from './en.ts';

/** Spanish. */
export const es: RequestMessages = {
  request: {
    intro: 'Alguien te pide archivos',
    sender: 'Tu nombre',
    senderHint: 'Tus archivos irán a una carpeta con este nombre.',
    sendingAs: 'Envías como {name}.',
    files: 'Archivos',
    folder: 'O una carpeta entera',
    send: 'Enviar',
    sentBefore: 'Ver lo que has enviado',
    until: 'Hasta',
    types: 'Tipos de archivo',
    largest: 'Archivo más grande',
    left: 'Todavía se aceptan',
    filesLeft: { one: '{count} archivo', other: '{count} archivos' },
    caution: 'Solo quien pide los archivos puede ver lo que envías. No envíes nada a quien no conozcas.',
    noneStored: 'No se ha guardado ninguno de tus archivos.',
    over: {
      closed: {
        title: 'Esta petición está cerrada',
        text: 'Ya no acepta archivos. Pregunta a quien te envió la dirección.',
      },
      expired: {
        title: 'El plazo ha terminado',
        text: 'Esta petición ya no acepta archivos. Pregunta a quien te envió la dirección.',
      },
      full: {
        title: 'Esta petición está completa',
        text: 'Ya ha recibido todo lo que acepta. Pregunta a quien te envió la dirección.',
      },
      'not-found': {
        title: 'No hay nada en esta dirección',
        text: 'Puede que esté incompleta o que la petición se haya borrado. Revísala o pregunta a quien te la envió.',
      },
    },
  },
  sending: {
    drop:
      'También puedes soltar aquí archivos y carpetas. Si el envío se corta, elige los mismos ' +
      'archivos en menos de un ' +
      'día. Sigue donde se detuvo.',
    pause: 'Pausar',
    resume: 'Continuar',
    retry: 'Reintentar',
    remove: 'Quitar',
    paused: 'En pausa',
    states: {
      waiting: 'En espera',
      sending: 'Enviando',
      broken: 'Se reintenta en breve',
      stored: 'Recibido',
      failed: 'No guardado',
    },
    lost: 'Se cortó la conexión. Vuelve a intentarlo.',
    total: 'Todos los archivos',
    count: 'Han llegado {done} de {all} archivos',
    done: 'Han llegado todos tus archivos.',
    failed: 'No guardados: {count}.',
    tooManyOpen: 'Tienes demasiados archivos sin terminar. Termina o quita uno y vuelve a intentarlo.',
  },
  sent: {
    title: 'Tus archivos han llegado',
    text: 'Guarda el justificante si tienes que demostrar lo que has enviado.',
    receipt: 'Guardar el justificante firmado',
    more: 'Enviar más archivos',
    received: 'Recibido',
    computing: 'aún sin calcular',
    notStored: 'No guardados',
  },
};
