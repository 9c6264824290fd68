# A campaign in several languages: run `make -j leaderboard` here. References are references/LANGUAGE/EVAL.txt (of
# several people: references/LANGUAGE/PERSON/EVAL.txt), submissions are submissions/TEAM.zip with LANGUAGE/EVAL.txt.
# Only what changed is checked and scored again. A submission with an error is not scored; the page says what it is.
TITLE =
LANGUAGES =
METRICS = R1,R2,RL
# Options of rouge-cli score, such as --stem or --recipe.
OPTIONS =

# Under -j what a target prints stays together, where make can do that.
MAKEFLAGS += $(if $(filter output-sync,$(.FEATURES)),--output-sync)
CAMPAIGN := $(lastword $(MAKEFILE_LIST))
TEAMS := $(patsubst submissions/%.zip,%,$(wildcard submissions/*.zip))
SCORES := $(foreach language,$(LANGUAGES),$(TEAMS:%=build/scores/$(language)/%.json))
PAGES := $(LANGUAGES:%=build/pages/%.html)
$(if $(shell cd submissions && ls | grep '[^[:alnum:]._-]'),$(error submissions: a name has other characters than letters, digits, dots and hyphens))
export TITLE TEAMS METRICS OPTIONS

.DELETE_ON_ERROR:
.SECONDARY:
.PHONY: leaderboard clean FORCE
leaderboard: leaderboard.html

leaderboard.html: $(PAGES) build/TEAMS build/TITLE
	rouge-cli campaign page --title '$(TITLE)' --findings build/checked -o $@ $(PAGES)

# The evals of the campaign, which teams need, too. The file is written only if it changes.
evals.txt: FORCE
	@mkdir -p build
	@find $(LANGUAGES:%=references/%) -name '*.txt' | sed 's|^references/||; s|/.*/|/|' | sort -u > build/evals.new
	@cmp -s build/evals.new $@ || cp build/evals.new $@

# What is wrong with a submission; empty if nothing is. Then its texts are in build/texts.
build/checked/%.txt: submissions/%.zip evals.txt
	@mkdir -p $(@D)
	@rm -rf $(LANGUAGES:%=build/texts/%/$*)
	rouge-cli campaign check $< -o build/texts > $@ || test -s $@

# The scores of a team in a language; empty if it has no texts there.
define SCORE
build/scores/$(1)/%.json: build/checked/%.txt build/METRICS build/OPTIONS $(CAMPAIGN) $$(shell find references/$(1))
	@mkdir -p $$(@D)
	@if test -d build/texts/$(1)/$$*; then set -x; \
		rouge-cli score --pred build/texts/$(1)/$$* --ref references/$(1) --language $(1) -m $(METRICS) $(OPTIONS) \
			--per-eval --format json -o $$@; \
	else : > $$@; fi

# The page of a language; empty if no team has texts in it.
build/pages/$(1).html: $(TEAMS:%=build/scores/$(1)/%.json) build/TEAMS build/TITLE
	@mkdir -p $$(@D)
	@scores="$$$$(find build/scores/$(1) -name '*.json' -size +0 2>/dev/null | sort)"; \
	if test -n "$$$$scores"; then rouge-cli report $$$$scores --quiet --title '$(TITLE): $(1)' -o $$@; \
	else : > $$@; fi
endef
$(foreach language,$(LANGUAGES),$(eval $(call SCORE,$(language))))

# A file contains the variable of its name. It is written if the variable changes, also on the command line. Teams
# that have gone leave no findings and no scores.
build/TITLE build/TEAMS build/METRICS build/OPTIONS: FORCE
	@mkdir -p build/checked
	@printf '%s\n' "$${$(@F)}" | cmp -s - $@ || printf '%s\n' "$${$(@F)}" > $@
	@rm -f $(filter-out $(TEAMS:%=build/checked/%.txt) $(SCORES),$(wildcard build/checked/*.txt build/scores/*/*.json))

clean:
	rm -rf build leaderboard.html
