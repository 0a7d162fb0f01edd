// Made from uploader/ by `npm run generate`. Never edit it by hand.
import { mostBytes } from '../file-size.js';
import { failureKind } from './failure-kind.js';
import { formatSize } from './format-size.js';
const locale = 'pt-BR';
const files = (count) => (count === 1 ? '1 arquivo' : `${count} arquivos`);
const failures = {
    type: 'Este tipo de arquivo não é aceito aqui.',
    small: 'O arquivo é pequeno demais: são necessários pelo menos 512 bytes.',
    large: 'O arquivo é grande demais para este lugar.',
    full: 'Não há mais espaço para este arquivo. Avise quem cuida desta página.',
    disk: 'O servidor está sem espaço para arquivos agora. Avise quem cuida desta página e tente novamente mais tarde.',
    used: 'Esta permissão não aceita mais arquivos. Recarregue a página para obter uma nova.',
    denied: 'Você não pode enviar arquivos aqui, ou não pode mais. Entre novamente ou recarregue a página.',
    exists: 'Já existe um arquivo com este nome. Renomeie o seu e escolha-o de novo.',
    unreadable: 'Não foi possível ler o arquivo. Talvez tenha sido alterado, movido ou removido. Escolha-o de novo.',
    unreachable: 'O servidor não responde. Verifique sua conexão e tente novamente.',
    busy: 'O servidor não pode receber o arquivo agora. Tente novamente em alguns minutos.',
    unsure: 'A conexão caiu bem no fim, e o arquivo pode ter chegado. Se você tentar de novo, ele pode ficar duplicado.',
    setup: 'Algo não está configurado corretamente aqui. Avise quem cuida desta página.',
    unknown: 'O envio não deu certo. Tente novamente em alguns minutos.',
};
const failed = (error) => failures[failureKind(error)];
/** Portuguese of Brazil. */
export const portuguese = {
    locale,
    choose: 'Escolher arquivos',
    chooseFolder: 'Escolher uma pasta',
    orDrop: 'ou solte-os aqui',
    limits: ({ minBytes, maxBytes, maxTotalBytes, maxFiles }) => [
        maxFiles > 1 && Number.isFinite(maxFiles) ? `no máximo ${maxFiles} arquivos` : '',
        minBytes > 512 ? `a partir de ${formatSize(minBytes, locale)}` : '',
        maxBytes < mostBytes ? `até ${formatSize(maxBytes, locale)} cada` : '',
        Number.isFinite(maxTotalBytes) ? `até ${formatSize(maxTotalBytes, locale)} no total` : '',
    ]
        .filter(Boolean)
        .join(', '),
    reading: (count) => `Lendo a pasta: ${files(count)} até agora`,
    list: 'Arquivos para enviar',
    waiting: 'Aguardando',
    checking: 'Comparando com o que já foi enviado',
    offline: 'Sem conexão com o servidor. O envio continua sozinho',
    paused: 'Pausado',
    completed: 'Enviado',
    cancelling: 'Cancelando',
    open: 'Abrir',
    pause: 'Pausar',
    resume: 'Continuar',
    cancel: 'Cancelar',
    again: 'Tentar novamente',
    remove: 'Remover da lista',
    start: 'Enviar',
    pauseAll: 'Pausar tudo',
    resumeAll: 'Continuar tudo',
    cancelAll: 'Cancelar tudo',
    againAll: 'Tentar tudo novamente',
    clear: 'Limpar a lista',
    total: 'Todos os arquivos',
    progressOf: (file) => `Andamento de ${file}`,
    actionOn: (action, file) => `${action}: ${file}`,
    uploading: (sent, total, percent) => `${sent} de ${total}, ${percent} %`,
    timeLeft(seconds) {
        if (seconds < 60)
            return 'menos de um minuto restante';
        const minutes = Math.round(seconds / 60);
        if (minutes < 90)
            return minutes === 1 ? 'cerca de um minuto restante' : `cerca de ${minutes} minutos restantes`;
        return `cerca de ${Math.round(minutes / 60)} horas restantes`;
    },
    filesDone: (done, count) => `${done} de ${files(count)}`,
    filesFailed: (count) => (count === 1 ? '1 não deu certo' : `${count} não deram certo`),
    notShown: (count) => `e mais ${files(count)}`,
    failed,
    refused: (reason, { minBytes, maxBytes, maxTotalBytes, maxFiles }) => ({
        type: 'este tipo de arquivo não é aceito aqui',
        small: `menor que ${formatSize(minBytes, locale)}`,
        large: `maior que ${formatSize(maxBytes, locale)}`,
        total: `mais de ${formatSize(maxTotalBytes, locale)} no total`,
        count: maxFiles === 1 ? 'só um arquivo é aceito aqui' : `no máximo ${files(maxFiles)} são aceitos aqui`,
        folder: 'pastas não são aceitas aqui',
        empty: 'não há nenhum arquivo nela',
        hidden: 'oculto',
        unreadable: 'não foi possível ler',
        page: 'não é desejado aqui',
    })[reason],
    saysAdded: (count) => (count === 1 ? '1 arquivo foi adicionado.' : `${count} arquivos foram adicionados.`),
    saysCompleted: (file) => `${file} foi enviado.`,
    saysCompletedMany: (count) => `${files(count)} foram enviados.`,
    saysFailed: (file, error) => `Não foi possível enviar ${file}. ${failed(error)}`,
    saysFailedMany: (count) => `Não foi possível enviar ${files(count)}.`,
    saysPaused: (file) => `${file} está pausado.`,
    saysResumed: (file) => `${file} continua.`,
    saysCancelled: (file) => `${file} foi cancelado.`,
    saysOffline: 'Não há conexão com o servidor. O envio continua sozinho quando ela voltar.',
    saysOnline: 'A conexão voltou. O envio continua.',
    saysAllPaused: 'Todos os envios estão pausados.',
    saysAllResumed: 'Todos os envios continuam.',
    saysAllCancelled: 'Todos os envios foram cancelados.',
    saysRefused: (why, names, more) => `Não aceito (${why}): ${names.join(', ')}${more > 0 ? ` e mais ${more}` : ''}.`,
    required: 'Escolha um arquivo.',
    unfinished: 'Aguarde até que os arquivos sejam enviados.',
};
