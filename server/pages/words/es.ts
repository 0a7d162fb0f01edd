import type { Words } from './en.ts';

/** Spanish. */
export const es: Words = {
  locale: 'es',
  problem: 'Problema',
  back: 'Volver',
  kinds: {
    image: 'Imagen',
    audio: 'Audio',
    video: 'Vídeo',
    pdf: 'Documento PDF',
    text: 'Texto',
    archive: 'Archivo comprimido',
    document: 'Documento',
    sheet: 'Hoja de cálculo',
    slides: 'Presentación',
    other: 'Archivo',
  },
  landing: {
    intro: 'Alguien ha compartido un archivo contigo',
    download: 'Descargar',
    view: 'Ver en el navegador',
    previewOf: 'Vista previa de {name}',
    expires: 'El enlace caduca',
    exactly: '{when} (UTC)',
    downloads: 'Descargas',
    downloadsLeft: { one: 'queda {count}', other: 'quedan {count}' },
    checksum: 'Suma de comprobación (SHA-256)',
    checksumHint: 'Si la de tu copia es igual, el archivo ha llegado completo.',
    caution: 'Ábrelo solo si sabes quién lo envía.',
  },
  password: {
    title: 'Este enlace pide una contraseña',
    text: 'Quien te envió el enlace puede decirte la contraseña.',
    label: 'Contraseña',
    hint: 'Las mayúsculas y las minúsculas cuentan.',
    open: 'Abrir',
    wrong: 'La contraseña no es correcta. Revísala e inténtalo de nuevo.',
    tooMany: 'Demasiados intentos.',
  },
  over: {
    exhausted: {
      title: 'No quedan descargas',
      text: 'Ya se han usado todas las descargas de este enlace. Pide uno nuevo a quien te lo envió.',
    },
    expired: { title: 'Este enlace ha caducado', text: 'Pide uno nuevo a quien te lo envió.' },
    'not-found': {
      title: 'No hay nada en este enlace',
      text:
        'Puede que la dirección esté incompleta, o que quien te lo envió haya retirado el enlace o el archivo. ' +
        'Revisa la dirección o pide un enlace nuevo.',
    },
  },
  hiddenCard: { title: 'Un archivo compartido', text: 'Abre el enlace para verlo.' },
  cardForPeople: {
    text:
      'Esta página es para las aplicaciones que muestran vistas previas de enlaces. ' +
      'Si eres una persona, abre el enlace en tu navegador.',
    open: 'Abrir el enlace',
  },
  failure: {
    title: 'No ha funcionado',
    tooMany: 'Demasiadas solicitudes',
    tryAgain: 'Inténtalo de nuevo {when}.',
    reasons: {
      ACCESS_DENIED: 'No has iniciado sesión. Iníciala e inténtalo de nuevo.',
      ACCOUNT_SUSPENDED: 'El operador ha detenido esta cuenta. Pregúntale.',
      APIKEY_LIMIT_REACHED: 'Hay diez claves activas. Revoca una e inténtalo de nuevo.',
      BODY_TOO_LARGE: 'Lo enviado es demasiado largo. Envía menos.',
      INTERNAL_SERVER_ERROR: 'Algo ha fallado por nuestra parte. Inténtalo de nuevo en un momento.',
      INVALID_BODY: 'Este formulario está incompleto. Vuelve a cargar la página.',
      INVALID_FORM_TOKEN: 'Este formulario es demasiado antiguo o viene de otra página. Vuelve a cargar la página.',
      INVALID_USER_CODE:
        'Ninguna petición espera con ese código. Compáralo con la pantalla de tu dispositivo o empieza de nuevo allí.',
      METHOD_NOT_ALLOWED: 'Esta dirección no se puede usar así. Ábrela en un navegador.',
      MISSING_SCOPE: 'Esta clave no permite hacerlo. Usa otra clave.',
      NOT_FOUND: 'Puede que la dirección esté incompleta. Revísala o pregunta a quien te la dio.',
      RATE_LIMITED: 'Han sido muchas en poco tiempo.',
      SHARE_EXHAUSTED: 'Ya se han usado todas las descargas de este enlace. Pide uno nuevo a quien te lo envió.',
      SHARE_EXPIRED: 'Este enlace ha caducado. Pide uno nuevo a quien te lo envió.',
      SHARE_NOT_FOUND: 'No hay nada en este enlace. Revisa la dirección o pide un enlace nuevo.',
      SHARE_PASSWORD_REQUIRED: 'Este enlace pide una contraseña. Vuelve a cargar la página y escríbela.',
      STORAGE_UNAVAILABLE: 'El almacenamiento no está disponible ahora mismo. Inténtalo de nuevo en unos minutos.',
    },
  },
};
