// Renders the templates of a chart with the package that Helm uses. It has the few functions of Helm that the chart of
// Cubby calls. toYaml writes JSON, which is YAML.
//
// It reads {"values": {…}, "name": "…", "templates": {"file": "text"}} and writes {"file": "text"}.
package main

import (
	"encoding/json"
	"os"
	"strings"
	"text/template"
)

type input struct {
	Values    map[string]any
	Name      string
	Templates map[string]string
}

func toJson(value any) (string, error) {
	text, err := json.Marshal(value)
	return string(text), err
}

func main() {
	var given input
	decoder := json.NewDecoder(os.Stdin)
	decoder.UseNumber()
	if err := decoder.Decode(&given); err != nil {
		panic(err)
	}
	functions := template.FuncMap{
		"toYaml": toJson,
		"quote":  toJson,
		"nindent": func(spaces int, text string) string {
			return "\n" + strings.Repeat(" ", spaces) + strings.ReplaceAll(text, "\n", "\n"+strings.Repeat(" ", spaces))
		},
	}
	rendered := map[string]string{}
	for file, text := range given.Templates {
		var out strings.Builder
		parsed := template.Must(template.New(file).Option("missingkey=error").Funcs(functions).Parse(text))
		data := map[string]any{"Values": given.Values, "Release": map[string]any{"Name": given.Name}}
		if err := parsed.Execute(&out, data); err != nil {
			panic(err)
		}
		rendered[file] = out.String()
	}
	json.NewEncoder(os.Stdout).Encode(rendered)
}
