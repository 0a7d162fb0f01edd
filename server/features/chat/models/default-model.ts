/** The name of the model that answers unless the operator has named others. */
export const defaultModel = 'cubic';
