import type { Messages } from '../en.ts';

export const trash: Messages['trash'] = {
  lead:
    'Arquivos excluídos e substituídos, enquanto uma regra ou uma exclusão no console os guarda. Contam para o ' +
    'armazenamento até desaparecerem.',
  holds: (files: string, size: string) => `A lixeira tem ${files} versões, ${size}.`,
  emptyTitle: 'A lixeira está vazia',
  empty:
    'Aqui chega o que é apagado no console e o que uma regra guarda. Dê a uma pasta uma regra com dias na lixeira, ' +
    'para que exclusões de programas também possam ser desfeitas.',
  toRules: 'Para as regras',
  nothingTitle: 'Nada na lixeira começa assim',
  prefix: 'Pasta ou começo do nome',
  file: 'Arquivo',
  reason: 'Motivo',
  reasons: { deleted: 'Excluído', replaced: 'Substituído' },
  since: 'Desde',
  gone: 'Desaparece',
  size: 'Tamanho',
  select: (name: string) => `Selecionar ${name}`,
  selectAll: 'Selecionar tudo o que aparece',
  selected: (count: string) => `Selecionados: ${count}`,
  unselect: 'Não selecionar nada',
  restore: 'Restaurar',
  purge: 'Excluir para sempre',
  versions: 'Versões deste arquivo',
  actions: (name: string) => `Ações para ${name}`,
  restored: (count: string) => `Restaurados: ${count}`,
  purged: (count: string) => `Excluídos para sempre: ${count}`,
  purgeTitle: (count: string) => `Excluir ${count} para sempre?`,
  purgeText: 'Isto não pode ser desfeito. Depois o espaço fica livre.',
  takenTitle: 'Já há um arquivo com este nome',
  takenText: (count: string) =>
    `Para ${count} das versões selecionadas há um arquivo com o mesmo nome. Pôr as versões no lugar dele? A ` +
    'lixeira só guarda o arquivo atual se a regra da pasta o disser.',
  replace: 'Substituir',
  notDone: (count: string) => `Não foi possível: ${count}. Talvez já não existam.`,
  emptyAll: 'Esvaziar a lixeira',
  emptyShown: 'Excluir todos estes para sempre',
  emptyTitleAsk: 'Excluir tudo aqui para sempre?',
  emptyText:
    'Todas as versões desta lista são removidas, também as que ainda não aparecem. Isto não pode ser desfeito.',
  progress: (count: string) => `Excluídos até agora: ${count}`,
  versionsLead: 'O que a lixeira guarda deste arquivo, o mais novo primeiro.',
  now: 'O arquivo como está agora',
  nowNone: 'No momento não há arquivo com este nome.',
  toTrash: 'Para a lixeira',
  versionsNone: 'A lixeira não guarda nenhuma versão deste arquivo.',
  written: 'Escrito',
  keptDays: (days: string) => `O que é apagado no console fica aqui por ${days} dias.`,
  keptNone: 'O que é apagado no console só fica aqui onde uma regra o diz.',
  changeDays: 'Alterar',
  daysTitle: 'Dias na lixeira',
  days: 'Dias',
  daysHint: 'De 0 a 365, para as próximas exclusões no console. Com 0, só regras guardam arquivos.',
  daysSaved: 'Salvo.',
};
